import type { CloudOutput, CloudWebhook } from '@vid/client/contract'
import type { Sql } from '../database/database.ts'
import { type OutputRow, outputOf } from '../renders/outputs.ts'
import type { EndedRender, ResultAddresses } from '../renders/result-addresses.ts'

interface Row extends EndedRender {
  readonly callback_id: string | null
  readonly duration: number | null
  readonly failure_message: string | null
  /** How many shapes it has; null for a video. */
  readonly shapes: number | null
}

const COLUMNS = 'id, status, request, video_key, thumbnail_key, poster_key, stream_attempt, duration, failure_message'

const outputsOf = async (sql: Sql, renderId: string, addressesOf: ResultAddresses): Promise<CloudOutput[]> => {
  const rows = await sql.rows<OutputRow>(
    `SELECT ${COLUMNS}, progress, video_bytes, video_sha256, failure_code
     FROM vid.renders WHERE parent_id = $1 ORDER BY sequence`,
    [renderId],
  )
  return Promise.all(rows.map(async (row) => outputOf(row, await addressesOf(row))))
}

/** The webhook body for a render in its current state; undefined if it was deleted. */
export const webhookBody = async (
  sql: Sql,
  renderId: string,
  eventType: string,
  addressesOf: ResultAddresses,
): Promise<CloudWebhook | undefined> => {
  const [row] = await sql.rows<Row>(
    `SELECT ${COLUMNS}, callback_id, shapes FROM vid.renders WHERE id = $1 AND deleted_at IS NULL`,
    [renderId],
  )
  if (!row) return undefined
  const { id, status, duration: length, failure_message, callback_id, shapes } = row
  const outputs = shapes === null ? null : await outputsOf(sql, renderId, addressesOf)
  const duration = outputs?.find((output) => output.duration !== null)?.duration ?? length
  return {
    event_type: eventType as CloudWebhook['event_type'],
    event_data: {
      render_id: id,
      status,
      ...(await addressesOf(row)),
      outputs,
      duration,
      failure_message,
      callback_id,
    },
  }
}
