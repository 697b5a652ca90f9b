import { createHash } from 'node:crypto'
import type { Authenticate } from '@vid/server'
import type { Sql } from '../database/database.ts'
import { credentialIn } from '../requests/credential.ts'

/** Finds the account of a request by its API key. */
export const createAuthenticate =
  (sql: Sql): Authenticate =>
  async ({ headers }) => {
    const given = credentialIn(headers)
    if (given === undefined) return undefined
    const hash = createHash('sha256').update(given).digest()
    const [found] = await sql.rows<{ account_id: string }>(
      `SELECT k.account_id FROM vid.api_keys k JOIN vid.accounts a ON a.id = k.account_id
       WHERE k.hash = $1 AND k.revoked_at IS NULL AND a.disabled_at IS NULL`,
      [hash],
    )
    return found?.account_id
  }
