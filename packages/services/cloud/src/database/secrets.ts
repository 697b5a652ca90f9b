import { randomBytes } from 'node:crypto'
import type { Sql } from './database.ts'

const BYTES = 32

/** Returns a secret that all processes share; creates it on first use. */
export const sharedSecret = async (sql: Sql, name: string): Promise<string> => {
  const secret = randomBytes(BYTES).toString('base64url')
  await sql.run('INSERT INTO vid.settings (key, value) VALUES ($1, $2::jsonb) ON CONFLICT DO NOTHING', [
    name,
    JSON.stringify(secret),
  ])
  const [row] = await sql.rows<{ value: string }>('SELECT value FROM vid.settings WHERE key = $1', [name])
  return row?.value ?? secret
}
