import type { Database, Sql } from '../database/database.ts'
import { fail } from '../errors.ts'
import { newId, randomText } from '../ids.ts'
import { hashPassword } from './passwords.ts'

/** An account as its operator sees it. */
export interface Account {
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  readonly hasPassword: boolean
  /** Its share of the workers, relative to other accounts. */
  readonly weight: number
  /** Renders that may be queued or rendering at the same time. */
  readonly maxOpenRenders: number
  readonly requestsPerMinute: number
  readonly maxUploadBytes: number
  /** Billed seconds allowed per month; null for no limit. */
  readonly maxBilledSeconds: number | null
  /** Worker seconds allowed per render; null for no limit. */
  readonly maxRenderSeconds: number | null
  /** Worker seconds allowed per frame, on average over a render; null for no limit. */
  readonly maxFrameSeconds: number | null
  /** How long results of its renders are kept, in seconds; null for as long as the server says. */
  readonly resultTtlSeconds: number | null
  readonly createdAt: Date
  readonly disabledAt: Date | null
}

/** The initial settings of an account. */
export interface NewAccount {
  readonly email?: string | undefined
  readonly name?: string | undefined
  /** For the sign-in page; without a password, the account can be used only with API keys and an OpenID provider. */
  readonly password?: string | undefined
  readonly weight?: number | undefined
}

/** Minimum length of a password, in characters. */
export const MIN_PASSWORD = 12
const MAX_PASSWORD = 200
const MAX_TEXT = 200
const SECRET_LENGTH = 43
/** Postgres error code of a unique violation. */
const UNIQUE_VIOLATION = '23505'

const COLUMNS = `id, email, name, password_hash IS NOT NULL AS "hasPassword", weight,
  max_open_renders AS "maxOpenRenders", requests_per_minute AS "requestsPerMinute",
  max_upload_bytes AS "maxUploadBytes", max_billed_seconds AS "maxBilledSeconds",
  max_render_seconds AS "maxRenderSeconds", max_frame_seconds AS "maxFrameSeconds",
  result_ttl_seconds AS "resultTtlSeconds",
  created_at AS "createdAt", disabled_at AS "disabledAt"`

/** Normalizes an e-mail address for comparison. */
export const normalEmail = (email: string): string =>
  // The database refuses NUL in any text; nobody has the address with this in its place.
  email.trim().normalize('NFKC').toLowerCase().replaceAll('\0', '\ufffd')

const refuse = (field: string, problem: string) => fail('VID_CLOUD_ACCOUNT_INVALID', { field, problem })

const checkText = (field: string, text: string | undefined): void => {
  if (text !== undefined && (/\p{Cc}/u.test(text) || text.length > MAX_TEXT || text.trim() === ''))
    throw refuse(field, `it is empty, longer than ${MAX_TEXT} characters, or has a control character`)
}

const checkFacts = ({ email, name, password, weight = 1 }: NewAccount): void => {
  checkText('name', name)
  checkText('e-mail', email)
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(normalEmail(email)))
    throw refuse('e-mail', 'it is not an address such as mia@example.com')
  if (password !== undefined && (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD))
    throw refuse('password', `it has ${password.length} characters, not ${MIN_PASSWORD} to ${MAX_PASSWORD}`)
  if (!(weight > 0 && weight <= 1000)) throw refuse('weight', `${weight} is not above 0 and at most 1000`)
}

/** Creates an account. */
export const createAccount = async (sql: Sql, account: NewAccount): Promise<Account> => {
  checkFacts(account)
  const { email, name, password, weight = 1 } = account
  if (password !== undefined && email === undefined)
    throw refuse('password', 'an account without an e-mail address cannot sign in')
  const hash = password === undefined ? null : await hashPassword(password)
  const [newAccount] = await sql.rows<Account>(
    `INSERT INTO vid.accounts (id, email, name, password_hash, weight, webhook_secret)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email) DO NOTHING RETURNING ${COLUMNS}`,
    [newId('user'), email && normalEmail(email), name, hash, weight, newSecret()].map((value) => value ?? null),
  )
  if (!newAccount) throw fail('VID_CLOUD_ACCOUNT_EXISTS', { email: normalEmail(email ?? '') })
  return newAccount
}

const newSecret = (): string => `whsec_${randomText(SECRET_LENGTH)}`

/** Lists all accounts, oldest first. */
export const listAccounts = (sql: Sql): Promise<Account[]> =>
  sql.rows<Account>(`SELECT ${COLUMNS} FROM vid.accounts ORDER BY created_at, id`)

/** Finds an account by id or e-mail address; fails with VID_CLOUD_ACCOUNT_MISSING if there is none. */
export const findAccount = async (sql: Sql, idOrEmail: string): Promise<Account> => {
  const [account] = await sql.rows<Account>(`SELECT ${COLUMNS} FROM vid.accounts WHERE id = $1 OR email = $2`, [
    idOrEmail,
    normalEmail(idOrEmail),
  ])
  if (!account) throw fail('VID_CLOUD_ACCOUNT_MISSING', { account: idOrEmail })
  return account
}

/** The settings of an account to change; those left out stay. */
export interface AccountChange extends NewAccount {
  readonly maxOpenRenders?: number | undefined
  readonly requestsPerMinute?: number | undefined
  readonly maxUploadBytes?: number | undefined
  /** Null for no limit, as in the fields below. */
  readonly maxBilledSeconds?: number | null | undefined
  readonly maxRenderSeconds?: number | null | undefined
  readonly maxFrameSeconds?: number | null | undefined
  readonly resultTtlSeconds?: number | null | undefined
}

const CHANGED = {
  email: 'email',
  name: 'name',
  weight: 'weight',
  maxOpenRenders: 'max_open_renders',
  requestsPerMinute: 'requests_per_minute',
  maxUploadBytes: 'max_upload_bytes',
  maxBilledSeconds: 'max_billed_seconds',
  maxRenderSeconds: 'max_render_seconds',
  maxFrameSeconds: 'max_frame_seconds',
  resultTtlSeconds: 'result_ttl_seconds',
} as const

/** Changes the settings that are present; a new password ends all sessions of the account. */
export const changeAccount = async (database: Database, idOrEmail: string, change: AccountChange): Promise<Account> => {
  checkFacts(change)
  const { password, ...others } = change
  const email = change.email === undefined ? undefined : normalEmail(change.email)
  const hash = password === undefined ? undefined : await hashPassword(password)
  return database.transaction(async (sql) => {
    const { id } = await findAccount(sql, idOrEmail)
    for (const [name, value] of Object.entries({ ...others, email }))
      if (value !== undefined)
        await sql
          .run(`UPDATE vid.accounts SET ${CHANGED[name as keyof typeof CHANGED]} = $2 WHERE id = $1`, [id, value])
          .catch((thrown: unknown) => {
            const isTaken = (thrown as { readonly code?: unknown }).code === UNIQUE_VIOLATION
            throw isTaken ? fail('VID_CLOUD_ACCOUNT_EXISTS', { email: email ?? '' }, { cause: thrown }) : thrown
          })
    if (hash !== undefined) {
      await sql.run('UPDATE vid.accounts SET password_hash = $2 WHERE id = $1', [id, hash])
      await sql.run(`DELETE FROM vid.oauth_items WHERE payload->>'accountId' = $1`, [id])
    }
    return findAccount(sql, id)
  })
}

/** Disables an account: it refuses all its credentials and ends its sessions; its renders and files stay. */
export const disableAccount = (database: Database, idOrEmail: string): Promise<Account> =>
  database.transaction(async (sql) => {
    const { id } = await findAccount(sql, idOrEmail)
    await sql.run('UPDATE vid.accounts SET disabled_at = COALESCE(disabled_at, now()) WHERE id = $1', [id])
    await sql.run(`DELETE FROM vid.oauth_items WHERE payload->>'accountId' = $1`, [id])
    return findAccount(sql, id)
  })

/** Enables a disabled account. */
export const enableAccount = (database: Database, idOrEmail: string): Promise<Account> =>
  database.transaction(async (sql) => {
    const { id } = await findAccount(sql, idOrEmail)
    await sql.run('UPDATE vid.accounts SET disabled_at = NULL WHERE id = $1', [id])
    return findAccount(sql, id)
  })

/** Returns the secret that signs the webhooks of an account. */
export const webhookSecret = async (sql: Sql, idOrEmail: string): Promise<string> => {
  const { id } = await findAccount(sql, idOrEmail)
  const [row] = await sql.rows<{ secret: string }>('SELECT webhook_secret AS secret FROM vid.accounts WHERE id = $1', [
    id,
  ])
  return row?.secret ?? ''
}

/** Replaces the webhook secret of an account; the next webhook is signed with the new one. */
export const rotateWebhookSecret = async (sql: Sql, idOrEmail: string): Promise<string> => {
  const { id } = await findAccount(sql, idOrEmail)
  const secret = newSecret()
  await sql.run('UPDATE vid.accounts SET webhook_secret = $2 WHERE id = $1', [id, secret])
  return secret
}
