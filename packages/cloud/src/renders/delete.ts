import type { CloudStatus } from '@vid/kernel'
import type { Database } from '../database/database.ts'
import { fail } from '../errors.ts'
import { isId } from '../ids.ts'

/** Deletes a render of an account: it is no longer found, workers drop its jobs, and its files are removed later. */
export const deleteRender = (database: Database, accountId: string, renderId: string): Promise<void> =>
  database.transaction(async (sql) => {
    if (!isId(renderId)) throw fail('VID_CLOUD_RENDER_UNKNOWN', { renderId })
    const [render] = await sql.rows<{ status: CloudStatus }>(
      `SELECT status FROM vid.renders WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL FOR UPDATE`,
      [renderId, accountId],
    )
    if (!render) throw fail('VID_CLOUD_RENDER_UNKNOWN', { renderId })
    await sql.run('UPDATE vid.renders SET deleted_at = now() WHERE id = $1', [renderId])
    if (render.status === 'completed' || render.status === 'failed') return
    await sql.run(
      `UPDATE vid.renders SET status = 'failed', failure_code = 'cancelled',
         failure_message = 'the render was deleted', completed_at = now()
       WHERE id = $1`,
      [renderId],
    )
  })
