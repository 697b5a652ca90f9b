import { createHash } from 'node:crypto'
import type { Sql } from '../database/database.ts'

/** Scope of access tokens that may use the API. */
export const ACCESS_SCOPE = 'renders'

/** How long a refresh token remains usable after its first use: two processes may have started with the same one. */
const GRACE_SECONDS = 30

/**
 * The id under which a token, code or session is stored: a hash, so that reading the database does not reveal usable
 * tokens.
 */
export const itemId = (token: string): string => createHash('sha256').update(token).digest('base64url')

type Payload = Readonly<Record<string, unknown>>

interface Row {
  readonly payload: Payload
  /** Seconds since 1970. */
  readonly consumed: number | null
  readonly is_graced: boolean | null
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const SELECT = `SELECT payload, extract(epoch FROM consumed_at)::float8 AS consumed,
  consumed_at > now() - interval '${GRACE_SECONDS} seconds' AS is_graced
  FROM vid.oauth_items WHERE model = $1 AND (expires_at IS NULL OR expires_at > now())`

/** Storage for one model of the OAuth library, such as RefreshToken. */
export const createItems = (sql: Sql, model: string) => {
  const read = async (condition: string, value: string, id?: string): Promise<Payload | undefined> => {
    const [row] = await sql.rows<Row>(`${SELECT} AND ${condition} = $2`, [model, value])
    if (!row) return undefined
    const isConsumed = row.consumed !== null && !(model === 'RefreshToken' && row.is_graced)
    return {
      ...row.payload,
      ...(id !== undefined && { jti: id }),
      ...(isConsumed && { consumed: Math.floor(row.consumed ?? 0) }),
    }
  }
  return {
    async upsert(id: string, payload: object, expiresIn?: number): Promise<void> {
      // The id is the token itself.
      const { jti: _, ...fields } = payload as Payload
      const { grantId, userCode, uid } = fields
      await sql.run(
        `INSERT INTO vid.oauth_items (model, id, payload, grant_id, user_code, uid, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')
         ON CONFLICT (model, id) DO UPDATE SET payload = EXCLUDED.payload, grant_id = EXCLUDED.grant_id,
           user_code = EXCLUDED.user_code, uid = EXCLUDED.uid, expires_at = EXCLUDED.expires_at`,
        [model, itemId(id), JSON.stringify(fields), textOr(grantId), textOr(userCode), textOr(uid), expiresIn ?? null],
      )
    },
    find: (id: string) => read('id', itemId(id), id),
    findByUid: (uid: string) => read('uid', uid),
    findByUserCode: (userCode: string) => read('user_code', userCode),
    async consume(id: string): Promise<void> {
      // The grace period starts at the first use.
      await sql.run(
        'UPDATE vid.oauth_items SET consumed_at = COALESCE(consumed_at, now()) WHERE model = $1 AND id = $2',
        [model, itemId(id)],
      )
    },
    async destroy(id: string): Promise<void> {
      await sql.run('DELETE FROM vid.oauth_items WHERE model = $1 AND id = $2', [model, itemId(id)])
    },
    async revokeByGrantId(grantId: string): Promise<void> {
      await sql.run('DELETE FROM vid.oauth_items WHERE model = $1 AND grant_id = $2', [model, grantId])
    },
  }
}

/** Removes expired tokens, codes and sessions. */
export const removeExpiredItems = async (sql: Sql): Promise<void> => {
  await sql.run('DELETE FROM vid.oauth_items WHERE expires_at < now()')
}
