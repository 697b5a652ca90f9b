import type { Sql } from '../database/database.ts'
import type { RenderRow } from './render-row.ts'

/** Called with the row of a render in the transaction that ends it; records the notifications. */
export type OnEnded = (sql: Sql, render: RenderRow) => Promise<void>

/** Why a render failed. */
export interface Failure {
  readonly code: string
  /** For the client, without paths of this machine. */
  readonly message: string
}

/** Ends an open render as failed; false if it had ended before. */
export const failRender = async (
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
  // Nobody is notified about a deleted render.
  if (row.deleted_at === null) await onEnded(sql, row)
  return true
}

/** Ends open renders that were deleted. */
export const endDeleted = (sql: Sql) =>
  sql.run(
    `UPDATE vid.renders SET status = 'failed', failure_code = 'VID_CANCELLED',
       failure_message = 'the render was deleted', completed_at = now()
     WHERE deleted_at IS NOT NULL AND status IN ('queued', 'rendering')`,
  )
