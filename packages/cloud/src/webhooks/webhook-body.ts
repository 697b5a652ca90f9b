import type { CloudRender, CloudStatus, CloudWebhook } from '@vid/kernel'
import type { Sql } from '../database/database.ts'
import type { ResultUrls } from '../renders/records.ts'

/** The columns of a render that determine its results. */
export interface EndedRender {
  readonly id: string
  readonly status: CloudStatus
  readonly request: CloudRender
  readonly video_key: string | null
  readonly thumbnail_key: string | null
  readonly poster_key: string | null
  readonly stream_attempt: number | null
}

/** Signs new addresses for the results of a render. */
export type ResultAddresses = (render: EndedRender) => Promise<ResultUrls>

interface Row extends EndedRender {
  readonly callback_id: string | null
  readonly duration: number | null
  readonly failure_message: string | null
}

/** The webhook body for a render in its current state; undefined if it was deleted. */
export const webhookBody = async (
  sql: Sql,
  renderId: string,
  eventType: string,
  addressesOf: ResultAddresses,
): Promise<CloudWebhook | undefined> => {
  const [row] = await sql.rows<Row>(
    `SELECT id, status, request, video_key, thumbnail_key, poster_key, stream_attempt, callback_id, duration, failure_message
     FROM vid.renders WHERE id = $1 AND deleted_at IS NULL`,
    [renderId],
  )
  if (!row) return undefined
  const { id, status, duration, failure_message, callback_id } = row
  return {
    event_type: eventType as CloudWebhook['event_type'],
    event_data: {
      render_id: id,
      status,
      ...(await addressesOf(row)),
      duration,
      failure_message,
      callback_id,
    },
  }
}
