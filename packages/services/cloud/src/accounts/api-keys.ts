import { createHash } from 'node:crypto'
import type { Sql } from '../database/database.ts'
import { fail } from '../errors.ts'
import { newId, randomText } from '../ids.ts'
import { findAccount } from './accounts.ts'

/** An API key as lists show it, without the key itself. */
export interface ApiKey {
  readonly id: string
  readonly accountId: string
  readonly name: string | null
  /** Its first characters, which identify the key to people. */
  readonly shown: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

const PREFIX = 'vid_live_'
/** Characters after the prefix: 190 bits. */
const LENGTH = 32
const SHOWN = PREFIX.length + 4

const COLUMNS = `id, account_id AS "accountId", name, shown, created_at AS "createdAt",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`

/** The digest under which a credential is stored. */
export const credentialDigest = (credential: string): Buffer => createHash('sha256').update(credential).digest()

/** Whether a text has the format of an API key. */
export const isApiKey = (text: string): boolean => text.startsWith(PREFIX)

/** Creates a key for an account; `key` is shown only this once. */
export const createKey = async (
  sql: Sql,
  idOrEmail: string,
  name?: string,
): Promise<ApiKey & { readonly key: string }> => {
  const account = await findAccount(sql, idOrEmail)
  const key = `${PREFIX}${randomText(LENGTH)}`
  const [row] = await sql.rows<ApiKey>(
    `INSERT INTO vid.api_keys (id, account_id, name, shown, hash) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
    [newId('key'), account.id, name ?? null, key.slice(0, SHOWN), credentialDigest(key)],
  )
  return { ...(row as ApiKey), key }
}

/** Lists the keys of an account, or of all accounts, oldest first. */
export const listKeys = async (sql: Sql, idOrEmail?: string): Promise<ApiKey[]> => {
  const list = (condition: string, values: readonly string[]) =>
    sql.rows<ApiKey>(`SELECT ${COLUMNS} FROM vid.api_keys ${condition} ORDER BY created_at, id`, values)
  if (idOrEmail === undefined) return list('', [])
  return list('WHERE account_id = $1', [(await findAccount(sql, idOrEmail)).id])
}

/** Revokes a key by its id; servers refuse it within a few seconds. */
export const revokeKey = async (sql: Sql, keyId: string): Promise<ApiKey> => {
  const [revoked] = await sql.rows<ApiKey>(
    `UPDATE vid.api_keys SET revoked_at = COALESCE(revoked_at, now()) WHERE id = $1 RETURNING ${COLUMNS}`,
    [keyId],
  )
  if (!revoked) throw fail('VID_CLOUD_KEY_MISSING', { key: isApiKey(keyId) ? `${keyId.slice(0, SHOWN)}…` : keyId })
  return revoked
}
