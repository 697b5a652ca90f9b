import type { Sql } from '../database/database.ts'

/*
 * Accounts share the slots of all workers by the time that their jobs hold them, divided by the account's weight: of
 * the waiting accounts, the one with the least use goes first. A running job counts with its estimated time, or with
 * its elapsed time if that is longer; an ended job counts with the time that it took.
 */

/** Seconds without a heartbeat after which a worker's slots no longer count. */
export const SILENT_SECONDS = 20

/** Seconds since the job of a row `w` of `vid.worker_jobs` was taken. */
export const HELD_SECONDS = 'GREATEST(0, extract(epoch FROM clock_timestamp() - w.taken_at))::float8'

/**
 * Defines `slots (count)`, the slots of all workers, and `standings`: each account with jobs, with its running `jobs`,
 * its `share` of the slots, and the time that it has `used`, including running jobs. Reads no waiting job.
 */
export const STANDINGS = `
  slots AS (
    SELECT GREATEST(1, COALESCE(sum(slots), 0))::float8 AS count FROM vid.workers
    WHERE last_seen > now() - interval '${SILENT_SECONDS} seconds' AND problem IS NULL),
  running AS (
    SELECT r.account_id, count(*) AS jobs, sum(GREATEST(w.cost, ${HELD_SECONDS})) AS seconds
    FROM vid.worker_jobs AS w JOIN vid.renders AS r ON r.id = w.render_id GROUP BY r.account_id),
  standings AS (
    SELECT a.id, a.used_seconds + COALESCE(running.seconds, 0) / a.weight AS used,
      COALESCE(running.jobs, 0) AS jobs, slots.count * a.weight / sum(a.weight) OVER () AS share
    FROM (SELECT account_id FROM vid.waiting_accounts UNION SELECT account_id FROM running) AS active
    JOIN vid.accounts AS a ON a.id = active.account_id CROSS JOIN slots
    LEFT JOIN running ON running.account_id = a.id)`

/** Estimated cost of a video, in seconds of video at 1080p. */
export const estimatedCost = (seconds: number, pixels: number): number =>
  Math.max(0.1, seconds) * Math.max(0.25, pixels / (1920 * 1080))

/** Advances the virtual clock to the account with jobs that has used least; it never goes back. */
const advanceClock = (sql: Sql) =>
  sql.run(
    `WITH ${STANDINGS} UPDATE vid.settings AS s SET value = to_jsonb(least.used)
     FROM (SELECT min(used) AS used FROM standings) AS least
     WHERE s.key = 'virtual_time' AND (s.value #>> '{}')::float8 < least.used`,
  )

/** Starts an account without other open renders at the virtual clock, so that unused time is not saved up. */
export const enterQueue = async (sql: Sql, accountId: string, renderId: string): Promise<void> => {
  const { rowCount } = await sql.run(
    `SELECT 1 FROM vid.renders WHERE account_id = $1 AND id <> $2 AND shapes IS NULL
       AND status IN ('queued', 'rendering') LIMIT 1`,
    [accountId, renderId],
  )
  if (rowCount > 0) return
  await advanceClock(sql)
  await sql.run(
    `UPDATE vid.accounts SET used_seconds = GREATEST(used_seconds,
       (SELECT (value #>> '{}')::float8 FROM vid.settings WHERE key = 'virtual_time'))
     WHERE id = $1`,
    [accountId],
  )
}

/** Seconds for which a job may hold a slot that others wait for, if its account has more than its share. */
const SLICE_SECONDS = 10
/** The same for the last job of an account if there are fewer slots than accounts; doubled each time. */
const LAST_SLICE_SECONDS = 60

/** Whether the account `s` still has its share of the slots without one of its jobs. */
const HAS_MORE = 's.jobs - 1 >= GREATEST(1, s.share)'

/**
 * Chooses the job that yields if no slot is free and an account with less than its share waits: the newest job of the
 * account that exceeds its share most. Among jobs taken at the same time, it is that of the newest render. At most one
 * job of all workers yields at a time.
 */
export const jobToYield = async (sql: Sql, workerId: string): Promise<string | undefined> => {
  const [row] = await sql.rows<{ job_id: string }>(
    `WITH ${STANDINGS}, chosen AS (
       SELECT w.job_id, w.worker_id FROM vid.worker_jobs AS w
       JOIN vid.renders AS r ON r.id = w.render_id JOIN standings AS s ON s.id = r.account_id CROSS JOIN slots
       WHERE (SELECT sum(jobs) FROM standings) >= slots.count AND s.jobs > s.share
         AND ${HELD_SECONDS} > CASE WHEN ${HAS_MORE} THEN ${SLICE_SECONDS}
           ELSE ${LAST_SLICE_SECONDS} * 2 ^ LEAST(r.yields, 20) END
         AND EXISTS (
           SELECT 1 FROM standings AS other
           WHERE other.id <> s.id AND other.jobs < GREATEST(1, floor(other.share))
             -- Otherwise the slot would go to the same job again.
             AND (${HAS_MORE} OR other.used < s.used)
             AND EXISTS (SELECT 1 FROM vid.waiting_jobs AS j WHERE j.account_id = other.id AND j.is_due))
       ORDER BY s.jobs / s.share DESC, s.used DESC, w.taken_at DESC, r.sequence DESC, w.job_id LIMIT 1)
     SELECT job_id FROM chosen WHERE worker_id = $1`,
    [workerId],
  )
  return row?.job_id
}

/** How long a worker counts as working after its last heartbeat, in seconds. */
const GRACE_SECONDS = 2

/** Takes jobs from their workers, and charges their accounts and renders for the elapsed time. */
export const releaseJobs = async (sql: Sql, jobIds: readonly string[]): Promise<void> => {
  await advanceClock(sql)
  await sql.run(
    `WITH gone AS (
       DELETE FROM vid.worker_jobs AS w USING vid.workers AS k
       WHERE k.id = w.worker_id AND w.job_id = ANY($1::text[])
       RETURNING w.render_id, LEAST(${HELD_SECONDS}, GREATEST(0, ${GRACE_SECONDS} +
         extract(epoch FROM k.last_seen - w.taken_at)))::float8 AS seconds),
     charged AS (
       UPDATE vid.renders AS r SET machine_seconds = r.machine_seconds + gone.seconds
       FROM (SELECT render_id, sum(seconds) AS seconds FROM gone GROUP BY render_id) AS gone
       WHERE r.id = gone.render_id RETURNING r.account_id, gone.seconds)
     UPDATE vid.accounts AS a SET used_seconds = a.used_seconds + charged.seconds / a.weight
     FROM (SELECT account_id, sum(seconds) AS seconds FROM charged GROUP BY account_id) AS charged
     WHERE a.id = charged.account_id`,
    [jobIds],
  )
}
