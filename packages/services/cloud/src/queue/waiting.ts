import type { Database, Sql } from '../database/database.ts'
import { QUEUE_SCHEMA, RENDERS } from './boss.ts'
import { mayEncode, mayTry } from './codecs.ts'
import { STANDINGS } from './fairness.ts'

const JOBS = `${QUEUE_SCHEMA}.job`
const TRIGGER = 'vid_note_waiting'

/** Has every change of the queue's table noted in `vid.waiting_jobs`, also those of pg-boss itself; first notes what it holds. */
export const noteWaiting = async (database: Database): Promise<void> => {
  const isNoted = async (sql: Sql) =>
    (await sql.rows('SELECT 1 FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2', [JOBS, TRIGGER])).length >
    0
  if (await isNoted(database)) return
  await database.transaction(async (sql) => {
    await sql.run(`LOCK TABLE ${JOBS} IN SHARE ROW EXCLUSIVE MODE`)
    if (await isNoted(sql)) return
    await sql.run(
      `CREATE TRIGGER ${TRIGGER} AFTER INSERT OR UPDATE OR DELETE ON ${JOBS}
       FOR EACH ROW EXECUTE FUNCTION vid.note_waiting('${RENDERS}')`,
    )
    await sql.run('TRUNCATE vid.waiting_jobs, vid.waiting_accounts')
    await sql.run(
      `SELECT count(vid.add_waiting_job(id, data, created_on, start_after)) FROM ${JOBS}
       WHERE name = $1 AND state < 'active'`,
      [RENDERS],
    )
  })
}

/** Most jobs that become due at once. */
const MAX_DUE = 1000

/** Has jobs wait whose pause after a failure has passed. */
export const addDue = (sql: Sql) =>
  sql.run(
    `WITH due AS (
       SELECT job_id FROM vid.waiting_jobs WHERE NOT is_due AND start_after < now()
       ORDER BY start_after LIMIT ${MAX_DUE} FOR UPDATE SKIP LOCKED),
     added AS (
       UPDATE vid.waiting_jobs AS w SET is_due = true FROM due WHERE w.job_id = due.job_id
       RETURNING w.account_id, w.codec, w.sequence)
     SELECT vid.enter_waiting(account_id, codec, min(sequence)) FROM added GROUP BY account_id, codec`,
  )

/**
 * Chooses the account that goes next: one with less than its share, or any if there is none, and of these the one that
 * has used least. Undefined if none has a job for this worker. Jobs of renders that are gone come first.
 */
export const nextAccount = async (
  sql: Sql,
  workerId: string | null,
  passedOver: readonly string[],
): Promise<string | undefined> => {
  const [row] = await sql.rows<{ account_id: string }>(
    `WITH ${STANDINGS}, able AS (
       SELECT codec FROM (SELECT DISTINCT codec FROM vid.waiting_accounts) AS c WHERE ${mayEncode('$1', 'c.codec')})
     SELECT w.account_id FROM vid.waiting_accounts AS w JOIN able ON able.codec = w.codec
     LEFT JOIN standings AS s ON s.id = w.account_id WHERE w.account_id <> ALL($2::text[])
     ORDER BY COALESCE(s.jobs >= GREATEST(1, s.share), false), s.used NULLS FIRST, w.sequence LIMIT 1`,
    [workerId, passedOver],
  )
  return row?.account_id
}

/** Whether the account and codec of a row `a` of `vid.waiting_accounts` have no job that is due. */
const HAS_NONE = `NOT EXISTS (
  SELECT 1 FROM vid.waiting_jobs AS w WHERE w.account_id = a.account_id AND w.codec = a.codec AND w.is_due)`

/** No longer counts an account as waiting whose last job has gone, unless somebody adds one at this moment. */
export const leaveWaiting = async (sql: Sql, accountId: string): Promise<void> => {
  const { rowCount } = await sql.run(
    `SELECT 1 FROM vid.waiting_accounts AS a WHERE account_id = $1 AND ${HAS_NONE} FOR UPDATE SKIP LOCKED`,
    [accountId],
  )
  // Looks again under the lock, now that nobody can add a job.
  if (rowCount > 0)
    await sql.run(
      `WITH locked AS MATERIALIZED (
         SELECT codec FROM vid.waiting_accounts WHERE account_id = $1 FOR UPDATE SKIP LOCKED)
       DELETE FROM vid.waiting_accounts AS a USING locked
       WHERE a.account_id = $1 AND a.codec = locked.codec AND ${HAS_NONE}`,
      [accountId],
    )
}

/** A job that was taken. */
export interface TakenRow {
  readonly id: string
  readonly data: unknown
  readonly retry_count: number
}

/** Takes the first job of an account, as pg-boss fetches one; undefined if others hold those that this worker may take. */
export const takeFirst = async (
  sql: Sql,
  accountId: string,
  workerId: string | null,
): Promise<TakenRow | undefined> => {
  const [row] = await sql.rows<TakenRow>(
    `WITH next AS (
       SELECT first.id FROM vid.waiting_accounts AS a CROSS JOIN LATERAL (
         SELECT j.id, w.sequence, w.number, w.created_on FROM vid.waiting_jobs AS w
         JOIN ${JOBS} AS j ON j.name = $1 AND j.id = w.job_id AND j.state < 'active'
         WHERE w.account_id = a.account_id AND w.codec = a.codec AND w.is_due AND ${mayTry('$3', 'w.job_id', 'w.codec')}
         ORDER BY w.sequence, w.number, w.created_on, w.job_id LIMIT 1 FOR UPDATE OF j SKIP LOCKED) AS first
       WHERE a.account_id = $2 AND ${mayEncode('$3', 'a.codec')}
       ORDER BY first.sequence, first.number, first.created_on, first.id LIMIT 1)
     UPDATE ${JOBS} AS j SET state = 'active', started_on = now(),
       retry_count = CASE WHEN j.started_on IS NULL THEN j.retry_count ELSE j.retry_count + 1 END
     FROM next WHERE j.name = $1 AND j.id = next.id RETURNING j.id, j.data, j.retry_count`,
    [RENDERS, accountId, workerId],
  )
  return row
}

/** Removes the waiting jobs of a render that has ended; a job that runs or is taken at this moment is ended by its worker. */
export const cancelWaiting = async (sql: Sql, renderId: string): Promise<void> => {
  const accounts = await sql.rows<{ account_id: string }>(
    'SELECT DISTINCT account_id FROM vid.waiting_jobs WHERE render_id = $1',
    [renderId],
  )
  if (accounts.length === 0) return
  await sql.run(
    `DELETE FROM ${JOBS} WHERE name = $1 AND id IN (
       SELECT j.id FROM vid.waiting_jobs AS w JOIN ${JOBS} AS j ON j.name = $1 AND j.id = w.job_id
       WHERE w.render_id = $2 AND j.state < 'active' FOR UPDATE OF j SKIP LOCKED)`,
    [RENDERS, renderId],
  )
  for (const { account_id: accountId } of accounts) await leaveWaiting(sql, accountId)
}
