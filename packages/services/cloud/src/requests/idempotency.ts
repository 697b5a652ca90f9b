import { randomUUID } from 'node:crypto'
import type { Database, Sql } from '../database/database.ts'
import { fail } from '../errors.ts'

/** A stored reply, returned again to a client that repeats its request. */
export interface StoredReply {
  readonly status: number
  /** A JSON value. */
  readonly body: unknown
}

/**
 * Stores the reply in the transaction that does the work, so that both happen or neither. Pass `bodyHash` if the hash
 * became known during the work.
 */
export type Settle = (sql: Sql, reply: StoredReply, bodyHash?: string) => Promise<void>

/** A request with an idempotency key. */
export interface KeyedRequest {
  readonly accountId: string
  /** Keys of different routes are independent. */
  readonly route: string
  readonly key: string
  /** Hash of the body, or a function that computes it by reading the body. */
  readonly bodyHash: string | (() => Promise<string>)
}

interface Row {
  readonly body_hash: string | null
  readonly reply: unknown
  readonly reply_status: number | null
}

const RETRY_SECONDS = 1
const WHICH = 'account_id = $1 AND route = $2 AND key = $3'

/** Assigns a key to this request if the key is new, its reply is a day old, or its process has died. */
const CLAIM = `
  INSERT INTO vid.idempotency AS kept (account_id, route, key, body_hash, lock_id, locked_until)
  VALUES ($1, $2, $3, $4, $5, now() + $6::double precision * interval '1 millisecond')
  ON CONFLICT (account_id, route, key) DO UPDATE
    SET body_hash = EXCLUDED.body_hash, lock_id = EXCLUDED.lock_id, locked_until = EXCLUDED.locked_until,
        reply = NULL, reply_status = NULL, created_at = now()
    WHERE CASE WHEN kept.reply IS NULL THEN kept.locked_until < now()
               ELSE kept.created_at < now() - interval '24 hours' END
  RETURNING lock_id`

/** Removes replies older than the retention time. */
export const removeOldReplies = async (sql: Sql): Promise<void> => {
  await sql.run(`DELETE FROM vid.idempotency WHERE created_at < now() - interval '24 hours' AND locked_until < now()`)
}

/** The stored reply of a key; undefined if the key has been released. */
const foundReply = async (sql: Sql, request: KeyedRequest): Promise<StoredReply | undefined> => {
  const { accountId, route, key, bodyHash } = request
  const [row] = await sql.rows<Row>(`SELECT body_hash, reply, reply_status FROM vid.idempotency WHERE ${WHICH}`, [
    accountId,
    route,
    key,
  ])
  if (!row) return undefined
  const isSettled = row.reply_status !== null
  // A body that is not read yet can be compared only once the reply is stored.
  const hash = typeof bodyHash === 'string' ? bodyHash : isSettled ? await bodyHash() : null
  if (hash !== null && row.body_hash !== null && hash !== row.body_hash) throw fail('VID_CLOUD_KEY_CONFLICT', {})
  if (!isSettled) throw fail('VID_CLOUD_KEY_IN_USE', { retryAfterSeconds: RETRY_SECONDS })
  return { status: row.reply_status ?? 0, body: row.reply }
}

/** Does work while holding the key; a failure releases the key. */
const workWithKey = async (
  database: Database,
  { accountId, route, key }: KeyedRequest,
  lock: { readonly id: string; readonly ms: number },
  work: (settle: Settle) => Promise<StoredReply>,
): Promise<StoredReply> => {
  const lockKey = [accountId, route, key, lock.id]
  const renewing = setInterval(() => {
    const until = `now() + $5::double precision * interval '1 millisecond'`
    database
      .run(`UPDATE vid.idempotency SET locked_until = ${until} WHERE ${WHICH} AND lock_id = $4`, [...lockKey, lock.ms])
      // Storing the reply detects a lock that could not be renewed.
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
      // The lock expires on its own.
      .catch(() => {})
    throw thrown
  } finally {
    clearInterval(renewing)
  }
}

/**
 * Does work once for all requests with the same key, even if they arrive at once, at several processes, or a process
 * dies in between. `work` must call `settle`. Only successful replies are stored, for 24 hours.
 */
export const doOnce = async (
  database: Database,
  request: KeyedRequest,
  lockMs: number,
  work: (settle: Settle) => Promise<StoredReply>,
): Promise<StoredReply & { readonly isReplay: boolean }> => {
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
