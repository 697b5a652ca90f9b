import type { Sql } from '../database/database.ts'
import { mayEncode } from './codecs.ts'
import { HELD_SECONDS, RENDER_OF_JOB, standings } from './fairness.ts'

/** Seconds for which a job may hold a slot that others wait for, if its account has more than its share. */
const SLICE_SECONDS = 10
/** The same for the last job of an account if there are fewer slots than accounts; doubled each time. */
const LAST_SLICE_SECONDS = 60

/** Whether the account `s` still has its share of the slots without one of its jobs. */
const HAS_MORE = 's.jobs - 1 >= GREATEST(1, s.share)'

/**
 * Chooses the job that yields if no slot is free and an account with less than its share waits for it: the newest job of the
 * account that exceeds its share most. Among jobs taken at the same time, it is that of the newest render. At most one
 * job of all workers yields at a time.
 */
export const jobToYield = async (sql: Sql, workerId: string): Promise<string | undefined> => {
  const [row] = await sql.rows<{ job_id: string }>(
    `WITH ${standings()}, others AS (
       SELECT id, used FROM running WHERE jobs < GREATEST(1, floor(share))
       UNION ALL SELECT id, used FROM idle),
     chosen AS (
       SELECT w.job_id, w.worker_id FROM vid.worker_jobs AS w CROSS JOIN LATERAL ${RENDER_OF_JOB}
       JOIN running AS s ON s.id = r.account_id CROSS JOIN slots
       WHERE (SELECT sum(jobs) FROM running) >= slots.count AND s.jobs > s.share
         AND ${HELD_SECONDS} > CASE WHEN ${HAS_MORE} THEN ${SLICE_SECONDS}
           ELSE ${LAST_SLICE_SECONDS} * 2 ^ LEAST(r.yields, 20) END
         AND EXISTS (
           SELECT 1 FROM others AS other
           WHERE other.id <> s.id
             -- Otherwise the slot would go to the same job again.
             AND (${HAS_MORE} OR other.used < s.used)
             -- Nor would it go to a job that this worker cannot encode.
             AND EXISTS (
               SELECT 1 FROM vid.waiting_accounts AS j
               WHERE j.account_id = other.id AND ${mayEncode('w.worker_id', 'j.codec')}))
       ORDER BY s.jobs / s.share DESC, s.used DESC, w.taken_at DESC, r.sequence DESC, w.job_id LIMIT 1)
     SELECT job_id FROM chosen WHERE worker_id = $1`,
    [workerId],
  )
  return row?.job_id
}
