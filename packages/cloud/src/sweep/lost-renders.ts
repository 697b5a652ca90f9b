import type { WorkParts } from '../worker/parts.ts'

/** Age from which a render must have a job: the job of an uncommitted transaction is not visible yet. */
const SETTLED_SECONDS = 60

/**
 * Queues open renders that have no job. This should not happen, but an accepted render must end whatever lost its jobs.
 */
export const requeueLost = async ({
  database,
  queue,
}: Pick<WorkParts, 'database' | 'queue'>): Promise<readonly string[]> => {
  const renders = await database.transaction(async (sql) => {
    const rows = await sql.rows<{ id: string }>(
      `SELECT id FROM vid.renders AS r
       WHERE status IN ('queued', 'rendering') AND deleted_at IS NULL AND shapes IS NULL
         AND created_at <= now() - make_interval(secs => $1)
         AND NOT EXISTS (
           SELECT 1 FROM ${queue.schema}.job AS j
           WHERE j.data ->> 'renderId' = r.id AND (j.state <= 'active' OR j.state = 'failed'
             AND j.completed_on > now() - make_interval(secs => $1)))
       FOR UPDATE SKIP LOCKED`,
      [SETTLED_SECONDS],
    )
    for (const { id } of rows) {
      await sql.run('UPDATE vid.renders SET attempt = attempt + 1, plan_key = NULL, segments = 0 WHERE id = $1', [id])
      await queue.enqueueParts(sql, [{ kind: 'render', renderId: id }])
    }
    return rows
  })
  if (renders.length > 0) queue.wake()
  return renders.map(({ id }) => id)
}
