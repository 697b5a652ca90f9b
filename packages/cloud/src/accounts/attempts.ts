import { createHash } from 'node:crypto'
import { delay } from '@vid/system'
import type { Sql } from '../database/database.ts'

/** Minutes after which counting starts again. */
const WINDOW_MINUTES = 15

/** Who tries to sign in: with an e-mail address, and from a client's address. */
export interface Attempt {
  readonly email: string
  readonly address: string
}

/** Attempts of one window for a person from one address, and from an address, which many people may share. */
const LIMITS = { both: 10, address: 100 } as const

/** Attempts of one window for a person from all addresses, after which each waits: nobody can be locked out by others. */
const FREE_ATTEMPTS = 10
/** The wait grows with each further attempt, up to the longest one. */
const WAIT_STEP_MS = 100
const MAX_WAIT_MS = 10_000

/** What attempts are counted by. */
const keysOf = ({ email, address }: Attempt) => ({
  both: `both\n${address}\n${email}`,
  address: `address\n${address}`,
  email: `email\n${email}`,
})

const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest()

const count = async (sql: Sql, key: string): Promise<number> => {
  const isOver = `vid.sign_in_attempts.began_at < now() - interval '${WINDOW_MINUTES} minutes'`
  const [row] = await sql.rows<{ count: number }>(
    `INSERT INTO vid.sign_in_attempts (key, count) VALUES ($1, 1)
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN ${isOver} THEN 1 ELSE vid.sign_in_attempts.count + 1 END,
       began_at = CASE WHEN ${isOver} THEN now() ELSE vid.sign_in_attempts.began_at END
     RETURNING count`,
    [digestOf(key)],
  )
  return row?.count ?? 1
}

/** Counts an attempt before it is made; how long it has to wait, or undefined when there were too many. */
export const countAttempt = async (sql: Sql, attempt: Attempt): Promise<number | undefined> => {
  const keys = keysOf(attempt)
  const fromAddress = await count(sql, keys.address)
  const fromBoth = await count(sql, keys.both)
  // Those that are refused tell nothing about the password, and delay nobody.
  if (fromAddress > LIMITS.address || fromBoth > LIMITS.both) return undefined
  const fromAll = await count(sql, keys.email)
  return Math.min(MAX_WAIT_MS, Math.max(0, fromAll - FREE_ATTEMPTS) * WAIT_STEP_MS)
}

/** Waits before a password is checked, as long for a right one as for a wrong one. */
export const delayAttempt = async (delayMs: number, signal: AbortSignal): Promise<void> => {
  if (delayMs > 0) await delay(delayMs, signal)
}

/** Takes back attempts that turned out to be right: all for a person, one for an address. */
export const forgiveAttempts = async (sql: Sql, attempt: Attempt): Promise<void> => {
  const { both: pairKey, address, email } = keysOf(attempt)
  await sql.run('DELETE FROM vid.sign_in_attempts WHERE key = ANY($1::bytea[])', [[digestOf(pairKey), digestOf(email)]])
  await sql.run('UPDATE vid.sign_in_attempts SET count = greatest(count - 1, 0) WHERE key = $1', [digestOf(address)])
}

/** Forgets attempts that no longer count. */
export const removeOldAttempts = async (sql: Sql): Promise<void> => {
  await sql.run(`DELETE FROM vid.sign_in_attempts WHERE began_at < now() - interval '${WINDOW_MINUTES} minutes'`)
}
