import { DEAD } from '../queue/boss.ts'
import type { WorkParts } from '../worker/parts.ts'

/** Age from which a render must have a job: the job of an uncommitted transaction is not visible yet. */
const SETTLED_SECONDS = 60

/** Open renders that one sweep looks at; the next one goes on after them. */
const MAX_AT_ONCE = 1000

/**
 * Whether no job of a row `r` of `vid.renders` waits or is held by a worker. NOT EXISTS would read all jobs, to compare
 * them with all rows at once.
 */
const HAS_NONE = `(SELECT 1 FROM vid.waiting_jobs AS j WHERE j.render_id = r.id LIMIT 1) IS NULL
  AND (SELECT 1 FROM vid.worker_jobs AS j WHERE j.render_id = r.id LIMIT 1) IS NULL`

/** Where the next sweep begins: the place of a render in the order of acceptance. */
const PLACE = 'requeued_to'

/**
 * Queues open renders that have no job. This should not happen, but an accepted render must end whatever lost its jobs.
 * A job waits, is held by a worker, or has failed too often and is about to end its render.
 */
export const requeueLost = async ({
  database,
  queue,
}: Pick<WorkParts, 'database' | 'queue'>): Promise<readonly string[]> => {
  const renders = await database.transaction(async (sql) => {
    const [place] = await sql.rows<{ value: number }>('SELECT value FROM vid.settings WHERE key = $1', [PLACE])
    const rows = await sql.rows<{ id: string; sequence: number; is_lost: boolean }>(
      `SELECT id, sequence, deleted_at IS NULL AND shapes IS NULL AND created_at <= now() - make_interval(secs => $1)
         AND ${HAS_NONE} AS is_lost
       FROM vid.renders AS r WHERE status IN ('queued', 'rendering') AND sequence > $2
       ORDER BY sequence LIMIT ${MAX_AT_ONCE}`,
      [SETTLED_SECONDS, place?.value ?? 0],
    )
    const end = rows.length < MAX_AT_ONCE ? 0 : (rows.at(-1)?.sequence ?? 0)
    await sql.run(
      `INSERT INTO vid.settings (key, value) VALUES ($1, to_jsonb($2::bigint))
       ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
      [PLACE, end],
    )
    const missing = rows.filter(({ is_lost }) => is_lost).map(({ id }) => id)
    if (missing.length === 0) return []
    // They may have got a job, or have ended, since they were looked at.
    const requeued = await sql.rows<{ id: string }>(
      `UPDATE vid.renders AS r SET attempt = attempt + 1, plan_key = NULL, segments = 0
       WHERE id = ANY($1::text[]) AND status IN ('queued', 'rendering') AND ${HAS_NONE} AND id <> ALL (ARRAY(
         SELECT data ->> 'renderId' FROM ${queue.schema}.job WHERE name = $2 AND state <= 'active'))
       RETURNING id`,
      [missing, DEAD],
    )
    const ids = requeued.map(({ id }) => id)
    await queue.enqueueParts(
      sql,
      ids.map((renderId) => ({ kind: 'render', renderId })),
    )
    return ids
  })
  if (renders.length > 0) queue.wake()
  return renders
}
