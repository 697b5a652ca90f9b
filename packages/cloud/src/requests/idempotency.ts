import { randomUUID } from 'node:crypto'
import type { Database, Sql } from '../database/database.ts'
import { fail } from '../errors.ts'

/** A reply that is given again to a client that repeats its request. */
export interface KeptReply {
  readonly status: number
  /** JSON. */
  readonly body: unknown
}

/**
 * Keeps the reply, in the transaction that does the work: both happen or neither. `bodyHash` where it was not known
 * before.
 */
export type Settle = (sql: Sql, reply: KeptReply, bodyHash?: string) => Promise<void>

/** A request that carries a key. */
export interface KeyedRequest {
  readonly accountId: string
  /** Keys of different routes have nothing to do with each other. */
  readonly route: string
  readonly key: string
  /** Hash of the body; a function where finding it out takes the body. */
  readonly bodyHash: string | (() => Promise<string>)
}

interface Row {
  readonly body_hash: string | null
  readonly reply: unknown
  readonly reply_status: number | null
}

const RETRY_SECONDS = 1
const WHICH = 'account_id = $1 AND route = $2 AND key = $3'

/** Gives a key to this request: where nobody has it, where its reply is a day old, or where its process has died. */
const CLAIM = `
  INSERT INTO vid.idempotency AS kept (account_id, route, key, body_hash, lock_id, locked_until)
  VALUES ($1, $2, $3, $4, $5, now() + $6::double precision * interval '1 millisecond')
  ON CONFLICT (account_id, route, key) DO UPDATE
    SET body_hash = EXCLUDED.body_hash, lock_id = EXCLUDED.lock_id, locked_until = EXCLUDED.locked_until,
        reply = NULL, reply_status = NULL, created_at = now()
    WHERE CASE WHEN kept.reply IS NULL THEN kept.locked_until < now()
               ELSE kept.created_at < now() - interval '24 hours' END
  RETURNING lock_id`

/** Removes replies that are no longer given again. */
export const removeOldReplies = async (sql: Sql): Promise<void> => {
  await sql.run(`DELETE FROM vid.idempotency WHERE created_at < now() - interval '24 hours' AND locked_until < now()`)
}

/** The reply that a key has already; undefined when nobody has the key any more. */
const foundReply = async (sql: Sql, request: KeyedRequest): Promise<KeptReply | undefined> => {
  const { accountId, route, key, bodyHash } = request
  const [row] = await sql.rows<Row>(`SELECT body_hash, reply, reply_status FROM vid.idempotency WHERE ${WHICH}`, [
    accountId,
    route,
    key,
  ])
  if (!row) return undefined
  const isSettled = row.reply_status !== null
  // Whose body is still to be read waits for the reply with which it can be compared.
  const hash = typeof bodyHash === 'string' ? bodyHash : isSettled ? await bodyHash() : null
  if (hash !== null && row.body_hash !== null && hash !== row.body_hash) throw fail('VID_CLOUD_KEY_CONFLICT', {})
  if (!isSettled) throw fail('VID_CLOUD_KEY_IN_USE', { retryAfterSeconds: RETRY_SECONDS })
  return { status: row.reply_status ?? 0, body: row.reply }
}

/** Does work that has the key to itself; what fails gives the key back. */
const workWithKey = async (
  database: Database,
  { accountId, route, key }: KeyedRequest,
  lock: { readonly id: string; readonly ms: number },
  work: (settle: Settle) => Promise<KeptReply>,
): Promise<KeptReply> => {
  const lockKey = [accountId, route, key, lock.id]
  const renewing = setInterval(() => {
    const until = `now() + $5::double precision * interval '1 millisecond'`
    database
      .run(`UPDATE vid.idempotency SET locked_until = ${until} WHERE ${WHICH} AND lock_id = $4`, [...lockKey, lock.ms])
      // A lock that could not be renewed is found out when the reply is kept.
      .catch(() => {})
  }, lock.ms / 3)
  renewing.unref()
  const settle: Settle = async (sql, { status, body }, bodyHash) => {
    const { rowCount } = await sql.run(
      `UPDATE vid.idempotency
       SET reply = $5::jsonb, reply_status = $6, body_hash = coalesce($7, body_hash), locked_until = now()
       WHERE ${WHICH} AND lock_id = $4 AND reply_status IS NULL`,
      [...lockKey, JSON.stringify(body), status, bodyHash ?? null],
    )
    if (rowCount !== 1) throw fail('VID_CLOUD_KEY_TAKEN_OVER', { retryAfterSeconds: RETRY_SECONDS })
  }
  try {
    return await work(settle)
  } catch (thrown) {
    await database
      .run(`DELETE FROM vid.idempotency WHERE ${WHICH} AND lock_id = $4 AND reply_status IS NULL`, lockKey)
      // The lock runs out by itself.
      .catch(() => {})
    throw thrown
  } finally {
    clearInterval(renewing)
  }
}

/**
 * Does work once for all requests with one key, also when they come at once, to several processes, or when a process
 * dies in between; `work` has to settle. Only what succeeds is kept, for 24 hours.
 */
export const doOnce = async (
  database: Database,
  request: KeyedRequest,
  lockMs: number,
  work: (settle: Settle) => Promise<KeptReply>,
): Promise<KeptReply & { readonly isReplay: boolean }> => {
  const { accountId, route, key, bodyHash } = request
  const id = randomUUID()
  const hash = typeof bodyHash === 'string' ? bodyHash : null
  for (;;) {
    const claimed = await database.rows(CLAIM, [accountId, route, key, hash, id, lockMs])
    if (claimed.length > 0)
      return { ...(await workWithKey(database, request, { id, ms: lockMs }, work)), isReplay: false }
    const reply = await foundReply(database, request)
    if (reply) return { ...reply, isReplay: true }
  }
}
