import { createRecentMap } from '@vid/protocol'
import type { Authenticate } from '@vid/server'
import type { Sql } from '../database/database.ts'
import { credentialDigest, isApiKey } from './api-keys.ts'
import { credentialIn } from './credential.ts'
import { ACCESS_SCOPE, itemId } from './oauth-items.ts'

/** How long a valid API key is cached, in milliseconds; a revocation takes effect after at most this time. */
const KNOWN_MS = 3_000
const MAX_KNOWN = 10_000

const findKey = async (sql: Sql, key: string): Promise<string | undefined> => {
  const [row] = await sql.rows<{ id: string; accountId: string; isUnnoted: boolean }>(
    `SELECT k.id, k.account_id AS "accountId",
       COALESCE(k.last_used_at < now() - interval '1 minute', true) AS "isUnnoted"
     FROM vid.api_keys k JOIN vid.accounts a ON a.id = k.account_id
     WHERE k.hash = $1 AND k.revoked_at IS NULL AND a.disabled_at IS NULL`,
    [credentialDigest(key)],
  )
  if (!row) return undefined
  if (row.isUnnoted) await sql.run('UPDATE vid.api_keys SET last_used_at = now() WHERE id = $1', [row.id])
  return row.accountId
}

const findToken = async (sql: Sql, token: string): Promise<string | undefined> => {
  const [row] = await sql.rows<{ accountId: string; scope: string | null }>(
    `SELECT a.id AS "accountId", i.payload->>'scope' AS scope
     FROM vid.oauth_items i JOIN vid.accounts a ON a.id = i.payload->>'accountId'
     WHERE i.model = 'AccessToken' AND i.id = $1 AND i.expires_at > now() AND a.disabled_at IS NULL`,
    [itemId(token)],
  )
  const isMeantForUs = row?.scope?.split(' ').includes(ACCESS_SCOPE) === true
  return isMeantForUs ? row?.accountId : undefined
}

/** The owner of a key, and until when it is taken from memory. */
interface KnownKey {
  readonly untilMs: number
  readonly owner: Promise<string | undefined>
}

/**
 * Finds the account of a request by its API key or access token; disabled accounts are refused. Keys are cached for a few
 * seconds; tokens never, since a login that somebody else has used ends at once.
 */
export const createAuthenticate = (sql: Sql): Authenticate => {
  const entries = createRecentMap<string, KnownKey>(MAX_KNOWN)
  const find = (credential: string): Promise<string | undefined> => {
    if (!isApiKey(credential)) return findToken(sql, credential)
    const id = credentialDigest(credential).toString('base64')
    const cached = entries.get(id)
    const nowMs = performance.now()
    if (cached && cached.untilMs > nowMs) return cached.owner
    const owner = findKey(sql, credential)
    const fresh = { untilMs: nowMs + KNOWN_MS, owner }
    entries.set(id, fresh)
    const forget = () => entries.delete(id, fresh)
    // Misses and errors are not cached: the key may be created at any moment, and the database may recover.
    owner.then((account) => account ?? forget(), forget)
    return owner
  }
  return async ({ headers }) => {
    const credential = credentialIn(headers)
    if (credential === undefined || credential === '' || credential.length > 1000) return undefined
    return find(credential)
  }
}
