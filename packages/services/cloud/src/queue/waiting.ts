import type { Sql } from '../database/database.ts'
import { QUEUE_SCHEMA, RENDERS } from './boss.ts'
import { mayEncode, mayTry } from './codecs.ts'
import { standings } from './fairness.ts'

const JOBS = `${QUEUE_SCHEMA}.job`

/** Most jobs that become due at once. */
const MAX_DUE = 1000

/** Has jobs wait whose pause after a failure has passed. */
export const addDue = (sql: Sql) =>
  sql.run(
    `WITH due AS (
       SELECT job_id FROM vid.waiting_jobs WHERE NOT is_due AND start_after < now()
       ORDER BY start_after LIMIT ${MAX_DUE} FOR UPDATE SKIP LOCKED),
     added AS (
       UPDATE vid.waiting_jobs AS w SET is_due = true WHERE w.job_id = ANY (ARRAY(SELECT job_id FROM due))
       RETURNING w.account_id, w.codec, w.sequence)
     SELECT vid.enter_waiting(account_id, codec, min(sequence)) FROM added GROUP BY account_id, codec`,
  )

/** Corrects what waiting accounts are noted to have used, where a job ended while its account began to wait. */
const correctUse = (sql: Sql, accountIds: readonly string[]) =>
  sql.run(
    `UPDATE vid.waiting_accounts AS w SET used_seconds = a.used_seconds
     FROM vid.accounts AS a WHERE a.id = w.account_id AND a.id = ANY($1::text[])`,
    [accountIds],
  )

/** Whether the account and codec of a row `a` of `vid.waiting_accounts` have no job that is due. */
const HAS_NONE = `NOT EXISTS (
  SELECT 1 FROM vid.waiting_jobs AS w WHERE w.account_id = a.account_id AND w.codec = a.codec AND w.is_due)`

/** No longer counts an account as waiting whose last job has gone, unless somebody adds one at this moment. */
export const leaveWaiting = async (sql: Sql, accountId: string): Promise<void> => {
  const locked = await sql.rows<{ codec: string }>(
    `SELECT codec FROM vid.waiting_accounts AS a WHERE account_id = $1 AND ${HAS_NONE} FOR UPDATE SKIP LOCKED`,
    [accountId],
  )
  // Looks again at those that are locked, now that nobody can add a job to them.
  if (locked.length > 0)
    await sql.run(
      `DELETE FROM vid.waiting_accounts AS a WHERE account_id = $1 AND codec = ANY($2::text[]) AND ${HAS_NONE}`,
      [accountId, locked.map(({ codec }) => codec)],
    )
}

/** A job that was taken, or, if others hold those of the account that this worker may take, none. */
interface NextRow {
  readonly account_id: string
  /** Accounts that have used more than noted. */
  readonly late: readonly string[] | null
  readonly id: string | null
  readonly data: unknown
  readonly retry_count: number
  /** Whether the account has another job with the same codec that is due. */
  readonly has_more: boolean | null
}

/** A job that was taken. */
export interface TakenRow extends NextRow {
  readonly id: string
}

/**
 * Takes the first job of the account that goes next: one with less than its share, or any if there is none, and of
 * these the one that has used least. Jobs of renders that are gone come first. Undefined if no account has a job for
 * this worker.
 */
const takeOf = async (
  sql: Sql,
  workerId: string | null,
  passedOver: readonly string[],
): Promise<NextRow | undefined> => {
  const mayGo = `w.account_id <> ALL($3::text[]) AND ${mayEncode('$2', 'w.codec')}`
  const [row] = await sql.prepared<NextRow>(
    `WITH ${standings(mayGo)}, candidates AS (
       SELECT id, false AS has_share, used, sequence FROM idle
       UNION ALL SELECT r.id, r.jobs >= GREATEST(1, r.share), r.used, w.sequence
       FROM running AS r JOIN vid.waiting_accounts AS w ON w.account_id = r.id WHERE ${mayGo}),
     chosen AS MATERIALIZED (SELECT id FROM candidates ORDER BY has_share, used, sequence LIMIT 1),
     next AS (
       SELECT first.id, EXISTS (
         SELECT 1 FROM vid.waiting_jobs AS w
         WHERE w.account_id = a.account_id AND w.codec = a.codec AND w.is_due AND w.job_id <> first.id) AS has_more
       FROM chosen JOIN vid.waiting_accounts AS a ON a.account_id = chosen.id CROSS JOIN LATERAL (
         SELECT locked.id, w.sequence, w.number, w.created_on
         FROM (
           SELECT w.job_id, w.sequence, w.number, w.created_on FROM vid.waiting_jobs AS w
           WHERE w.account_id = a.account_id AND w.codec = a.codec AND w.is_due
             AND ${mayTry('$2', 'w.job_id', 'w.codec')}
           ORDER BY w.sequence, w.number, w.created_on, w.job_id OFFSET 0) AS w
         -- One after the other, by its index: a join that is planned while there are few jobs would read all.
         CROSS JOIN LATERAL (
           SELECT j.id FROM ${JOBS} AS j WHERE j.name = $1 AND j.id = w.job_id AND j.state < 'active'
           FOR UPDATE SKIP LOCKED) AS locked
         LIMIT 1) AS first
       WHERE ${mayEncode('$2', 'a.codec')}
       ORDER BY first.sequence, first.number, first.created_on, first.id LIMIT 1),
     taken AS (
       -- As pg-boss fetches a job.
       UPDATE ${JOBS} AS j SET state = 'active', started_on = now(),
         retry_count = CASE WHEN j.started_on IS NULL THEN j.retry_count ELSE j.retry_count + 1 END
       WHERE j.name = $1 AND j.id = (SELECT id FROM next)
       RETURNING j.id, j.data, j.retry_count, (SELECT has_more FROM next) AS has_more)
     SELECT chosen.id AS account_id, (SELECT array_agg(id) FROM idle WHERE noted < used) AS late, taken.*
     FROM chosen LEFT JOIN taken ON true`,
    [RENDERS, workerId, passedOver],
  )
  return row
}

const isTaken = (row: NextRow): row is TakenRow => row.id !== null

/** Takes the next job for a worker; undefined if no account has one for it. */
export const takeNext = async (sql: Sql, workerId: string | null): Promise<TakenRow | undefined> => {
  const passedOver: string[] = []
  for (;;) {
    const row = await takeOf(sql, workerId, passedOver)
    if (!row) return undefined
    if (row.late) await correctUse(sql, row.late)
    if (!row.has_more) await leaveWaiting(sql, row.account_id)
    if (isTaken(row)) return row
    passedOver.push(row.account_id)
  }
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
