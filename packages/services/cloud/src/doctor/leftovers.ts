import type { Database } from '../database/database.ts'
import type { Storage } from '../storage/storage.ts'
import { countOrphans } from '../sweep/orphans.ts'

/** Leftovers of deleted renders, which a sweep should have removed. */
export interface Leftovers {
  /** Deleted renders whose files still exist. */
  readonly renders: number
  /** Objects in the storage that belong to no render. */
  readonly objects: number
  /** Jobs, and records of their workers, of renders that have ended. */
  readonly jobs: number
}

/** Whether the render of a job has ended. NOT EXISTS would read all renders, to compare them with all jobs at once. */
const isEnded = (row: string) => `(SELECT 1 FROM vid.renders AS r
  WHERE r.id = ${row}.render_id AND r.status IN ('queued', 'rendering') LIMIT 1) IS NULL`

/** Waiting jobs that are looked at in one statement. */
const BATCH = 1000

/** Counts the waiting jobs of renders that have ended. */
const countWaiting = async (database: Database): Promise<number> => {
  let count = 0
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await database.rows<{ job_id: string; is_ended: boolean }>(
      `SELECT job_id, ${isEnded('j')} AS is_ended FROM (
         SELECT job_id, render_id FROM vid.waiting_jobs WHERE job_id > $1::uuid ORDER BY job_id LIMIT ${BATCH}) AS j
       ORDER BY job_id`,
      [last],
    )
    count += rows.filter(({ is_ended }) => is_ended).length
    last = rows.at(-1)?.job_id ?? last
    if (rows.length < BATCH) return count
  }
}

/** Counts the leftovers of deleted renders. */
export const countLeftovers = async (parts: {
  readonly database: Database
  readonly storage: Storage
}): Promise<Leftovers> => {
  const { database } = parts
  const [deleted] = await database.rows<{ count: number }>(
    'SELECT count(*) AS count FROM vid.renders WHERE deleted_at IS NOT NULL AND purged_at IS NULL',
  )
  const [held] = await database.rows<{ count: number }>(
    `SELECT count(*) AS count FROM vid.worker_jobs AS j WHERE ${isEnded('j')}`,
  )
  return {
    renders: deleted?.count ?? 0,
    objects: await countOrphans(parts),
    jobs: (held?.count ?? 0) + (await countWaiting(database)),
  }
}
