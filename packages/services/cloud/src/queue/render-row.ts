import type { CloudRender, CloudStatus } from '@vid/client/contract'
import type { Warning } from '@vid/protocol'
import type { Sql } from '../database/database.ts'

/** A row of `vid.renders`. */
export interface RenderRow {
  readonly id: string
  readonly account_id: string
  /** The render of several shapes that it belongs to. */
  readonly parent_id: string | null
  readonly status: CloudStatus
  readonly request: CloudRender
  readonly project_digest: string
  readonly project_key: string
  readonly callback_url: string | null
  readonly callback_id: string | null
  readonly attempt: number
  readonly segments: number
  readonly plan_key: string | null
  readonly frames_rendered: number
  readonly total_frames: number
  readonly duration: number | null
  readonly video_key: string | null
  readonly video_sha256: string | null
  readonly thumbnail_key: string | null
  readonly poster_key: string | null
  readonly stream_attempt: number | null
  readonly failure_code: string | null
  readonly failure_message: string | null
  readonly warnings: readonly Warning[]
  readonly deleted_at: Date | null
}

/** Whether a render has neither ended nor been deleted. */
export const isOpen = ({ status, deleted_at }: Pick<RenderRow, 'status' | 'deleted_at'>): boolean =>
  deleted_at === null && (status === 'queued' || status === 'rendering')

/** Reads the row of a render; undefined if there is none. */
export const readRender = async (sql: Sql, renderId: string): Promise<RenderRow | undefined> =>
  (await sql.rows<RenderRow>('SELECT * FROM vid.renders WHERE id = $1', [renderId]))[0]
