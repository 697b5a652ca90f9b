import type { Database } from '../database/database.ts'
import { fail } from '../errors.ts'
import { isId } from '../ids.ts'
import { cancelWaiting } from '../queue/waiting.ts'

/** Deletes a render of an account with its videos: it is no longer found, workers drop its jobs, and its files are removed later. */
export const deleteRender = (database: Database, accountId: string, renderId: string): Promise<void> =>
  database.transaction(async (sql) => {
    if (!isId(renderId)) throw fail('VID_CLOUD_RENDER_UNKNOWN', { renderId })
    // The videos first, as the statements that end one lock it before the render of several shapes.
    const rows = await sql.rows<{ id: string; parent_id: string | null }>(
      `SELECT id, parent_id FROM vid.renders
       WHERE (id = $1 OR parent_id = $1) AND account_id = $2 AND deleted_at IS NULL
       ORDER BY parent_id IS NULL, sequence FOR UPDATE`,
      [renderId, accountId],
    )
    const render = rows.find(({ id }) => id === renderId)
    if (!render) throw fail('VID_CLOUD_RENDER_UNKNOWN', { renderId })
    const { parent_id: parentId } = render
    if (parentId !== null) throw fail('VID_CLOUD_OUTPUT_DELETE', { renderId, parentId })
    const ids = rows.map(({ id }) => id)
    await sql.run('UPDATE vid.renders SET deleted_at = now() WHERE id = ANY($1::text[])', [ids])
    await sql.run(
      `UPDATE vid.renders SET status = 'failed', failure_code = 'cancelled',
         failure_message = 'the render was deleted', completed_at = now()
       WHERE id = ANY($1::text[]) AND status IN ('queued', 'rendering')`,
      [ids],
    )
    for (const id of ids) await cancelWaiting(sql, id)
  })
