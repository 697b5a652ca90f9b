import { failHttp } from '@vid/server'
import type { Sql } from '../database/database.ts'

/** The limits of an account. */
export interface AccountLimits {
  /** Renders that may be queued or rendering at the same time. */
  readonly openRenders: number
  readonly requestsPerMinute: number
  readonly uploadBytes: number
  /** Limit on the total size of the zips of all its projects. */
  readonly storedBytes: number
  /** Billed seconds allowed per month; null for no limit. */
  readonly billedSeconds: number | null
}

/** An account as its owner sees it. */
export interface AccountProfile extends AccountLimits {
  readonly id: string
  readonly email: string | null
  readonly name: string | null
}

interface Row {
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  readonly max_open_renders: number
  readonly requests_per_minute: number
  readonly max_upload_bytes: number
  readonly max_stored_bytes: number
  readonly max_billed_seconds: number | null
}

/** Reads an account with its limits. With `isLocked`, the row stays locked until the transaction ends. */
export const readAccount = async (
  sql: Sql,
  id: string,
  { isLocked = false }: { readonly isLocked?: boolean } = {},
): Promise<AccountProfile> => {
  const [row] = await sql.rows<Row>(
    `SELECT id, email, name, max_open_renders, requests_per_minute, max_upload_bytes,
            max_stored_bytes, max_billed_seconds
     FROM vid.accounts WHERE id = $1 ${isLocked ? 'FOR NO KEY UPDATE' : ''}`,
    [id],
  )
  // The account existed when its credential was checked, and has been deleted since.
  if (!row) throw failHttp('VID_HTTP_UNAUTHORIZED', {})
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    openRenders: row.max_open_renders,
    requestsPerMinute: row.requests_per_minute,
    uploadBytes: row.max_upload_bytes,
    storedBytes: row.max_stored_bytes,
    billedSeconds: row.max_billed_seconds,
  }
}
