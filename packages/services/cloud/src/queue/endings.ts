import type { Sql } from '../database/database.ts'
import type { RenderRow } from './render-row.ts'
import { cancelWaiting } from './waiting.ts'

/** Called with the row of a render in the transaction that ends it; records the notifications. */
export type OnEnded = (sql: Sql, render: RenderRow) => Promise<void>

/** Why a render failed. */
export interface Failure {
  readonly code: string
  /** For the client, without paths of this machine. */
  readonly message: string
}

/** Ends a render of several shapes if all of its videos have ended; resolves to its row then. */
const endParent = async (sql: Sql, id: string): Promise<RenderRow | undefined> => {
  // Of two videos that end at once, the second sees the first.
  await sql.run('SELECT 1 FROM vid.renders WHERE id = $1 FOR UPDATE', [id])
  const [row] = await sql.rows<RenderRow>(
    `UPDATE vid.renders AS p SET status = CASE WHEN v.code IS NULL THEN 'completed' ELSE 'failed' END,
       failure_code = v.code, failure_message = v.message, completed_at = now()
     FROM (SELECT count(*) FILTER (WHERE status IN ('queued', 'rendering')) AS open,
         (array_agg(failure_code ORDER BY sequence) FILTER (WHERE status = 'failed'))[1] AS code,
         string_agg((request ->> 'shape') || ': ' || failure_message, '; ' ORDER BY sequence)
           FILTER (WHERE status = 'failed') AS message
       FROM vid.renders WHERE parent_id = $1) AS v
     WHERE p.id = $1 AND v.open = 0 AND p.status IN ('queued', 'rendering') AND p.deleted_at IS NULL RETURNING p.*`,
    [id],
  )
  return row
}

/** Records the notifications of the end of a video, and of the render of several shapes that ends with it. */
export const announceEnd = async (sql: Sql, row: RenderRow, onEnded: OnEnded): Promise<void> => {
  await onEnded(sql, row)
  const parent = row.parent_id === null ? undefined : await endParent(sql, row.parent_id)
  if (parent) await onEnded(sql, parent)
}

/** Ends an open render as failed; false if it had ended before. */
export const markRenderFailed = async (
  sql: Sql,
  renderId: string,
  { code, message }: Failure,
  onEnded: OnEnded,
): Promise<boolean> => {
  const [row] = await sql.rows<RenderRow>(
    `UPDATE vid.renders SET status = 'failed', failure_code = $2, failure_message = $3, completed_at = now()
     WHERE id = $1 AND status IN ('queued', 'rendering') RETURNING *`,
    [renderId, code, message],
  )
  if (!row) return false
  await cancelWaiting(sql, renderId)
  // Nobody is notified about a deleted render.
  if (row.deleted_at === null) await announceEnd(sql, row, onEnded)
  return true
}

/** Ends open renders that were deleted. */
export const endDeleted = (sql: Sql) =>
  sql.run(
    `UPDATE vid.renders SET status = 'failed', failure_code = 'VID_CANCELLED',
       failure_message = 'the render was deleted', completed_at = now()
     WHERE deleted_at IS NOT NULL AND status IN ('queued', 'rendering')`,
  )
