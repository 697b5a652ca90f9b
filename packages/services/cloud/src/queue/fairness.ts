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
 * The render `r` of a row `w` of `vid.worker_jobs`. OFFSET keeps it from being joined: the statistics of a table whose
 * rows come and go are late, and a plan for many jobs would read all renders.
 */
export const RENDER_OF_JOB =
  '(SELECT account_id, yields, sequence FROM vid.renders WHERE id = w.render_id OFFSET 0) AS r'

/** Number of waiting accounts without a running job whose use is compared. */
const MOST_COMPARED = 16

/**
 * Defines `slots (count)`, the slots of all workers; `running`, each account with running `jobs`, its `share` of the
 * slots, and the time that it has `used`, including these jobs; and `idle`, the waiting accounts without a running job
 * that have used least: their number is bounded, so no statement reads all accounts. `condition` is on a row `w` of
 * `vid.waiting_accounts`: its `used_seconds`, here `noted`, may be out of date, but is never above that of the account.
 */
export const standings = (condition = 'true'): string => `
  slots AS (
    SELECT GREATEST(1, COALESCE(sum(slots), 0))::float8 AS count FROM vid.workers
    WHERE last_seen > now() - interval '${SILENT_SECONDS} seconds' AND problem IS NULL),
  busy AS MATERIALIZED (
    SELECT a.id, a.weight, h.jobs, a.used_seconds + h.seconds / a.weight AS used
    FROM (
      SELECT r.account_id, count(*) AS jobs, sum(GREATEST(w.cost, ${HELD_SECONDS})) AS seconds
      FROM vid.worker_jobs AS w CROSS JOIN LATERAL ${RENDER_OF_JOB} GROUP BY r.account_id) AS h
    CROSS JOIN LATERAL (SELECT id, weight, used_seconds FROM vid.accounts WHERE id = h.account_id OFFSET 0) AS a),
  sharing AS MATERIALIZED (
    SELECT sum(weight) AS weight FROM (
      SELECT id, weight FROM busy
      -- With more accounts than slots, what a share is below one slot makes no difference.
      UNION (
        SELECT account_id, (SELECT weight FROM vid.accounts AS a WHERE a.id = w.account_id)
        FROM vid.waiting_accounts AS w LIMIT (SELECT count::int FROM slots))) AS active),
  running AS MATERIALIZED (
    SELECT id, jobs, used, weight * (SELECT slots.count / sharing.weight FROM slots, sharing) AS share FROM busy),
  idle AS MATERIALIZED (
    SELECT w.account_id AS id, w.codec, w.sequence, w.used_seconds AS noted,
      COALESCE(a.used_seconds, '-infinity') AS used
    FROM vid.waiting_accounts AS w LEFT JOIN vid.accounts AS a ON a.id = w.account_id
    WHERE ${condition} AND w.account_id <> ALL (ARRAY(SELECT id FROM busy))
    ORDER BY w.used_seconds, w.sequence LIMIT ${MOST_COMPARED})`

/** Estimated cost of a video, in seconds of video at 1080p. */
export const estimatedCost = (seconds: number, pixels: number): number =>
  Math.max(0.1, seconds) * Math.max(0.25, pixels / (1920 * 1080))

/**
 * Advances the virtual clock to the account with jobs that has used least, or, if none has any, to the one that has used
 * most; it never goes back.
 */
const advanceClock = (sql: Sql) =>
  sql.run(
    `WITH ${standings()} UPDATE vid.settings AS s SET value = to_jsonb(now.used)
     FROM (
       SELECT COALESCE(min(used), (SELECT max(used_seconds) FROM vid.accounts)) AS used
       FROM (SELECT used FROM running UNION ALL SELECT used FROM idle) AS active WHERE used > '-infinity') AS now
     WHERE s.key = 'virtual_time' AND (s.value #>> '{}')::float8 < now.used`,
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
     WHERE id = $1 AND used_seconds < (SELECT (value #>> '{}')::float8 FROM vid.settings WHERE key = 'virtual_time')`,
    [accountId],
  )
}

/** How long a worker counts as working after its last heartbeat, in seconds. */
const GRACE_SECONDS = 2

/** Takes jobs from their workers, and charges their renders and accounts for the elapsed time. */
export const releaseJobs = async (sql: Sql, jobIds: readonly string[]): Promise<void> => {
  await sql.run(
    `WITH gone AS (
       DELETE FROM vid.worker_jobs AS w USING vid.workers AS k
       WHERE k.id = w.worker_id AND w.job_id = ANY($1::text[])
       RETURNING w.render_id, LEAST(${HELD_SECONDS}, GREATEST(0, ${GRACE_SECONDS} +
         extract(epoch FROM k.last_seen - w.taken_at)))::float8 AS seconds),
     charged AS (
       UPDATE vid.renders AS r SET machine_seconds = r.machine_seconds + gone.seconds
       FROM (SELECT render_id, sum(seconds) AS seconds FROM gone GROUP BY render_id) AS gone
       WHERE r.id = gone.render_id RETURNING r.account_id, gone.seconds),
     used AS (
       UPDATE vid.accounts AS a SET used_seconds = a.used_seconds + charged.seconds / a.weight
       FROM (SELECT account_id, sum(seconds) AS seconds FROM charged GROUP BY account_id) AS charged
       WHERE a.id = charged.account_id RETURNING a.id, a.used_seconds)
     UPDATE vid.waiting_accounts AS w SET used_seconds = used.used_seconds FROM used WHERE w.account_id = used.id`,
    [jobIds],
  )
}
