import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'oidc-provider'
import type { Sql } from '../database/database.ts'

/** Keys shared by all processes of a server. */
export interface OAuthKeys {
  /** Signs ID tokens. */
  readonly jwk: JWK
  /** Signs cookies. */
  readonly cookie: string
}

const SETTING = 'oauth_keys'
const RSA_BITS = 2048
const COOKIE_BYTES = 32

const makeKeys = async (): Promise<OAuthKeys> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS })
  const jwk = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as JWK
  return { jwk, cookie: randomBytes(COOKIE_BYTES).toString('base64url') }
}

const readKeys = async (sql: Sql): Promise<OAuthKeys | undefined> =>
  (await sql.rows<{ value: OAuthKeys }>('SELECT value FROM vid.settings WHERE key = $1', [SETTING]))[0]?.value

/** Returns the keys of a server; creates them on first use. */
export const sharedKeys = async (sql: Sql): Promise<OAuthKeys> => {
  const storedKeys = await readKeys(sql)
  if (storedKeys) return storedKeys
  const newKeys = await makeKeys()
  await sql.run('INSERT INTO vid.settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING', [
    SETTING,
    JSON.stringify(newKeys),
  ])
  // Another process may have created them first.
  return (await readKeys(sql)) ?? newKeys
}
