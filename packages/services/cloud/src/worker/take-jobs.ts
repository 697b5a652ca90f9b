import type { Sql } from '../database/database.ts'
import type { QueuedJob } from '../queue/queue.ts'
import { isOpen, type RenderRow, readRender } from '../queue/render-row.ts'
import type { WorkParts } from './parts.ts'

/** Seconds after which Postgres ends a process that takes jobs and stands still: all others wait for it. */
const MAX_IDLE_SECONDS = 60

/** A job with its render. */
export interface TakenJob {
  readonly job: QueuedJob
  readonly render: RenderRow
}

/** Whether a job still has work to do. */
const isWanted = async (sql: Sql, { data }: QueuedJob, render: RenderRow | undefined): Promise<boolean> => {
  if (!render || !isOpen(render)) return false
  // A render that is planned has its own jobs.
  if (data.kind === 'render') return render.plan_key === null
  if (data.attempt !== render.attempt) return false
  if (data.kind === 'join') return true
  const [segment] = await sql.rows(
    `SELECT 1 FROM vid.render_segments
     WHERE render_id = $1 AND attempt = $2 AND number = $3 AND done_at IS NULL`,
    [render.id, data.attempt, data.number],
  )
  return segment !== undefined
}

/**
 * Takes jobs for a worker in one transaction: the queue assigns them, and the worker is recorded as their holder. Jobs
 * with nothing left to do are removed. Undefined if the worker's lease has expired.
 */
export const takeJobs = (
  { database, queue }: Pick<WorkParts, 'database' | 'queue'>,
  workerId: string,
  count: number,
): Promise<TakenJob[] | undefined> =>
  database.transaction(async (sql) => {
    const { rowCount } = await sql.run(
      `SELECT set_config('idle_in_transaction_session_timeout', '${MAX_IDLE_SECONDS}s', true)
       FROM vid.workers WHERE id = $1 FOR SHARE`,
      [workerId],
    )
    if (rowCount === 0) return undefined
    const takenJobs: TakenJob[] = []
    while (takenJobs.length < count) {
      const job = await queue.take(sql, workerId)
      if (!job) break
      const { data } = job
      const render = await readRender(sql, data.renderId)
      if (!render || !(await isWanted(sql, job, render))) {
        await queue.complete(sql, job.id)
        continue
      }
      await sql.run(
        `WITH started AS (
           UPDATE vid.renders SET status = 'rendering', started_at = COALESCE(started_at, now())
           WHERE id = $3 AND status = 'queued')
         INSERT INTO vid.worker_jobs (job_id, worker_id, render_id, kind, cost, taken_at)
         -- The transaction may have begun long before, and waited for others.
         VALUES ($1, $2, $3, $4, $5, clock_timestamp())
         ON CONFLICT (job_id) DO UPDATE SET worker_id = EXCLUDED.worker_id, taken_at = EXCLUDED.taken_at`,
        [job.id, workerId, render.id, data.kind, data.cost ?? 0],
      )
      takenJobs.push({ job, render })
    }
    return takenJobs
  })
