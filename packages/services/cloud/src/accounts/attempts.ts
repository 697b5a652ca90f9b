import { createHash } from 'node:crypto'
import { delay } from '@vid/system'
import type { Sql } from '../database/database.ts'

/** Length of the window in which attempts are counted, in minutes. */
const WINDOW_MINUTES = 15

/** A sign-in attempt: the e-mail address that it names and the address of the client. */
interface Attempt {
  readonly email: string
  readonly address: string
}

/**
 * Attempts allowed per window: for one e-mail address from one client address, and for one client address, which many
 * people may share.
 */
const LIMITS = { both: 10, address: 100 } as const

/**
 * Attempts per window for one e-mail address, from all client addresses, before delays begin. Attempts are only
 * delayed, so that nobody can lock out someone else.
 */
const FREE_ATTEMPTS = 10
/** Each further attempt adds this much to the delay, up to the maximum. */
const WAIT_STEP_MS = 100
const MAX_WAIT_MS = 10_000

/** The keys under which an attempt is counted. */
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

/**
 * Counts an attempt before the password is checked. Returns its delay in milliseconds, or undefined if there were too
 * many attempts.
 */
export const countAttempt = async (sql: Sql, attempt: Attempt): Promise<number | undefined> => {
  const keys = keysOf(attempt)
  const fromAddress = await count(sql, keys.address)
  const fromBoth = await count(sql, keys.both)
  // A refused attempt reveals nothing about the password, so it doesn't add to the delay of others.
  if (fromAddress > LIMITS.address || fromBoth > LIMITS.both) return undefined
  const fromAll = await count(sql, keys.email)
  return Math.min(MAX_WAIT_MS, Math.max(0, fromAll - FREE_ATTEMPTS) * WAIT_STEP_MS)
}

/** Waits before a password is checked; a correct one waits as long as a wrong one. */
export const delayAttempt = async (delayMs: number, signal: AbortSignal): Promise<void> => {
  if (delayMs > 0) await delay(delayMs, signal)
}

/** Uncounts successful attempts: all for the e-mail address, one for the client address. */
export const forgiveAttempts = async (sql: Sql, attempt: Attempt): Promise<void> => {
  const { both: pairKey, address, email } = keysOf(attempt)
  await sql.run('DELETE FROM vid.sign_in_attempts WHERE key = ANY($1::bytea[])', [[digestOf(pairKey), digestOf(email)]])
  await sql.run('UPDATE vid.sign_in_attempts SET count = greatest(count - 1, 0) WHERE key = $1', [digestOf(address)])
}

/** Removes attempts from past windows. */
export const removeOldAttempts = async (sql: Sql): Promise<void> => {
  await sql.run(`DELETE FROM vid.sign_in_attempts WHERE began_at < now() - interval '${WINDOW_MINUTES} minutes'`)
}
