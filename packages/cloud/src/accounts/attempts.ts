import { createHash } from 'node:crypto'
import type { Sql } from '../database/database.ts'

/** Minutes after which counting begins anew. */
const WINDOW_MINUTES = 15
/** Failures of one window: for an account, by all clients; for an address, which many people may share. */
const LIMITS = { email: 10, address: 100 } as const

/** What attempts are counted by. */
export type AttemptKind = keyof typeof LIMITS

const keyOf = (kind: AttemptKind, value: string): Buffer =>
  createHash('sha256').update(`${kind}\n${value}`).digest()

/** Counts an attempt before it is made; false when there were too many. */
export const countAttempt = async (sql: Sql, kind: AttemptKind, value: string): Promise<boolean> => {
  const isOver = `vid.sign_in_attempts.began_at < now() - interval '${WINDOW_MINUTES} minutes'`
  const [row] = await sql.rows<{ count: number }>(
    `INSERT INTO vid.sign_in_attempts (key, count) VALUES ($1, 1)
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN ${isOver} THEN 1 ELSE vid.sign_in_attempts.count + 1 END,
       began_at = CASE WHEN ${isOver} THEN now() ELSE vid.sign_in_attempts.began_at END
     RETURNING count`,
    [keyOf(kind, value)],
  )
  return (row?.count ?? 1) <= LIMITS[kind]
}

/** Takes back attempts that turned out to be right: all for an account, one for an address. */
export const forgiveAttempts = async (sql: Sql, email: string, address: string): Promise<void> => {
  await sql.run('DELETE FROM vid.sign_in_attempts WHERE key = $1', [keyOf('email', email)])
  await sql.run('UPDATE vid.sign_in_attempts SET count = greatest(count - 1, 0) WHERE key = $1', [
    keyOf('address', address),
  ])
}

/** Forgets attempts that no longer count. */
export const removeOldAttempts = async (sql: Sql): Promise<void> => {
  await sql.run(
    `DELETE FROM vid.sign_in_attempts WHERE began_at < now() - interval '${WINDOW_MINUTES} minutes'`,
  )
}
