import { createServer, type VidServer } from '@vid/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../database/database.ts'
import { emptyDatabase } from '../fixtures/database.ts'
import {
  changeAccount,
  createAccount,
  disableAccount,
  enableAccount,
  findAccount,
  listAccounts,
  rotateWebhookSecret,
  webhookSecret,
} from './accounts.ts'
import { createKey, listKeys, revokeKey } from './api-keys.ts'
import { createAuthenticate } from './authenticate.ts'
import { credentialKind } from './credential.ts'
import { createFirstAccount } from './first-account.ts'
import { createItems } from './oauth-items.ts'
import { checkPassword, hashPassword } from './passwords.ts'

/** A server whose one route says who asks. */
const startServer = async (database: Database): Promise<VidServer & { url: string }> => {
  const server = await createServer({
    api: { title: 'who', version: '1' },
    authenticate: createAuthenticate(database),
    log: { level: 'silent' },
  })
  server.app.get('/who', { schema: { hide: true } }, async (request) => ({
    owner: request.owner,
    kind: credentialKind(request.headers),
  }))
  const { url } = await server.listen(0)
  onTestFinished(() => server.close())
  return { ...server, url }
}

const ask = async (url: string, headers: Record<string, string>) => {
  const reply = await fetch(`${url}/who`, { headers })
  return reply.ok ? ((await reply.json()) as { owner: string; kind: string }) : reply.status
}

/** Lets the time of the credentials that a server knows pass. */
const passTime = (ms: number): void => {
  const now = performance.now() + ms
  vi.spyOn(performance, 'now').mockReturnValue(now)
  onTestFinished(() => void vi.restoreAllMocks())
}

test('a key lets its account in, by either header, and no other text does', async () => {
  const database = await emptyDatabase()
  const { url } = await startServer(database)
  const { id } = await createAccount(database, { email: 'mia@example.com' })
  const { key } = await createKey(database, id, 'laptop')
  expect(key).toMatch(/^vid_live_[A-Za-z0-9]{32}$/)
  const identity = { owner: id, kind: 'api_key' }
  expect(await ask(url, { 'x-api-key': key })).toEqual(identity)
  expect(await ask(url, { authorization: `Bearer ${key}` })).toEqual(identity)
  for (const wrong of [`${key}x`, key.slice(0, -1), '', 'vid_live_', "' OR 1=1 --"])
    expect(await ask(url, { 'x-api-key': wrong }), wrong).toBe(401)
  expect(await ask(url, {})).toBe(401)
})

test('nothing that is kept of a key gives the key', async () => {
  const database = await emptyDatabase()
  const { id } = await createAccount(database, {})
  const { key } = await createKey(database, id)
  const rows = await database.rows('SELECT * FROM vid.api_keys')
  expect(JSON.stringify(rows)).not.toContain(key.slice(14))
  expect(await listKeys(database, id)).toMatchObject([{ accountId: id, shown: key.slice(0, 13) }])
  expect(JSON.stringify(await listKeys(database))).not.toContain(key.slice(14))
})

test('a revoked key, and every credential of a disabled account, work no longer than five seconds', async () => {
  const database = await emptyDatabase()
  const { url } = await startServer(database)
  const { id } = await createAccount(database, { email: 'mia@example.com' })
  const one = await createKey(database, id)
  const two = await createKey(database, id)
  expect(await ask(url, { 'x-api-key': one.key })).toMatchObject({ owner: id })
  expect((await revokeKey(database, one.id)).revokedAt).toBeInstanceOf(Date)
  passTime(5_000)
  expect(await ask(url, { 'x-api-key': one.key })).toBe(401)
  expect(await ask(url, { 'x-api-key': two.key })).toMatchObject({ owner: id })
  await createItems(database, 'RefreshToken').upsert('token', { accountId: id }, 60)
  await disableAccount(database, 'Mia@Example.com')
  expect(await database.rows('SELECT 1 FROM vid.oauth_items')).toEqual([])
  passTime(5_000)
  expect(await ask(url, { 'x-api-key': two.key })).toBe(401)
  await enableAccount(database, id)
  expect(await ask(url, { 'x-api-key': two.key })).toMatchObject({ owner: id })
})

test('an access token lets its account in until it expires, if it was made for the API', async () => {
  const database = await emptyDatabase()
  const { url } = await startServer(database)
  const { id } = await createAccount(database, {})
  const tokens = createItems(database, 'AccessToken')
  await tokens.upsert('right', { jti: 'right', accountId: id, scope: 'openid renders' }, 60)
  await tokens.upsert('other', { jti: 'other', accountId: id, scope: 'openid email' }, 60)
  await tokens.upsert('old', { jti: 'old', accountId: id, scope: 'renders' }, -1)
  expect(await ask(url, { authorization: 'Bearer right' })).toEqual({ owner: id, kind: 'oauth' })
  expect(await ask(url, { authorization: 'Bearer other' })).toBe(401)
  expect(await ask(url, { authorization: 'Bearer old' })).toBe(401)
  expect(JSON.stringify(await database.rows('SELECT * FROM vid.oauth_items'))).not.toMatch(/"right"|jti/)
})

test('the last use of a key is written once a minute', async () => {
  const database = await emptyDatabase()
  const { url } = await startServer(database)
  const { id } = await createAccount(database, {})
  const { key } = await createKey(database, id)
  const lastUse = async () => (await listKeys(database))[0]?.lastUsedAt
  expect(await lastUse()).toBeNull()
  await ask(url, { 'x-api-key': key })
  const first = await lastUse()
  expect(first).toBeInstanceOf(Date)
  passTime(5_000)
  await ask(url, { 'x-api-key': key })
  expect(await lastUse()).toEqual(first)
  await database.run(`UPDATE vid.api_keys SET last_used_at = now() - interval '61 seconds'`)
  passTime(5_000)
  await ask(url, { 'x-api-key': key })
  expect((await lastUse())?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? 0)
})

test('requests at the same time ask the database once', async () => {
  const database = await emptyDatabase()
  const { id } = await createAccount(database, {})
  const { key } = await createKey(database, id)
  const rows = vi.spyOn(database, 'rows')
  const authenticate = createAuthenticate(database)
  const request = { headers: { 'x-api-key': key } } as never
  const accountIds = await Promise.all(Array.from({ length: 20 }, () => authenticate(request)))
  expect(new Set(accountIds)).toEqual(new Set([id]))
  expect(rows).toHaveBeenCalledTimes(1)
})

test('accounts are found by id and by e-mail in any case, and made once for an e-mail', async () => {
  const database = await emptyDatabase()
  const account = await createAccount(database, { email: ' Mia@Example.com ', name: 'Mia', weight: 3 })
  expect(account).toMatchObject({ email: 'mia@example.com', name: 'Mia', weight: 3, hasPassword: false })
  expect(await findAccount(database, 'MIA@example.com')).toEqual(account)
  expect(await listAccounts(database)).toEqual([account])
  await expect(createAccount(database, { email: 'mia@EXAMPLE.com' })).rejects.toMatchObject({
    code: 'VID_CLOUD_ACCOUNT_EXISTS',
  })
  await expect(findAccount(database, 'user_x')).rejects.toMatchObject({ code: 'VID_CLOUD_ACCOUNT_MISSING' })
})

test('an account is changed by what is given alone; another password ends its sign-ins', async () => {
  const database = await emptyDatabase()
  const { id } = await createAccount(database, { email: 'mia@example.com', name: 'Mia' })
  await createAccount(database, { email: 'zoe@example.com' })
  await createItems(database, 'RefreshToken').upsert('token', { accountId: id }, 60)
  const changed = await changeAccount(database, id, { email: 'Maria@example.com', maxBilledSeconds: 5 })
  expect(changed).toMatchObject({ email: 'maria@example.com', name: 'Mia', weight: 1, maxBilledSeconds: 5 })
  expect(await changeAccount(database, id, { maxBilledSeconds: null })).toMatchObject({
    maxBilledSeconds: null,
    email: 'maria@example.com',
  })
  await expect(changeAccount(database, id, { email: 'ZOE@example.com' })).rejects.toMatchObject({
    code: 'VID_CLOUD_ACCOUNT_EXISTS',
  })
  await expect(changeAccount(database, id, { password: 'short' })).rejects.toMatchObject({
    code: 'VID_CLOUD_ACCOUNT_INVALID',
  })
  expect(await database.rows('SELECT 1 FROM vid.oauth_items')).toHaveLength(1)
  expect(await changeAccount(database, id, { password: 'a long password' })).toMatchObject({
    hasPassword: true,
  })
  expect(await database.rows('SELECT 1 FROM vid.oauth_items')).toEqual([])
})

test.each([
  [{ email: 'mia' }, 'e-mail'],
  [{ email: 'a@b@c' }, 'e-mail'],
  [{ name: 'a\nb' }, 'name'],
  [{ name: ' ' }, 'name'],
  [{ email: 'a@b.c', password: 'hush-hush' }, 'password'],
  [{ password: 'hush-hush-hush' }, 'password'],
  [{ weight: 0 }, 'weight'],
  [{ weight: Number.NaN }, 'weight'],
])('an account of %j is refused by its %s', async (account, field) => {
  const error = await createAccount({} as never, account).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'VID_CLOUD_ACCOUNT_INVALID', facts: { field } })
  expect(String(error)).not.toContain('hush')
})

test('a password is recognized by its hash alone, which is another one each time', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(one).toMatch(/^scrypt\$131072\$8\$1\$/)
  expect(one).not.toBe(other)
  expect(await checkPassword('correct horse', one)).toBe(true)
  expect(await checkPassword('correct horsf', one)).toBe(false)
  expect(await checkPassword('ﬁsh and chips', await hashPassword('fish and chips'))).toBe(true)
  for (const nobody of [null, undefined]) expect(await checkPassword('', nobody)).toBe(false)
})

test('the secret of webhooks is an account’s own, and can be changed', async () => {
  const database = await emptyDatabase()
  const one = await createAccount(database, {})
  const two = await createAccount(database, {})
  const first = await webhookSecret(database, one.id)
  expect(first).toMatch(/^whsec_\w{43}$/)
  expect(await webhookSecret(database, two.id)).not.toBe(first)
  const next = await rotateWebhookSecret(database, one.id)
  expect(next).not.toBe(first)
  expect(await webhookSecret(database, one.id)).toBe(next)
})

test('the first start makes one account with a key, later ones none', async () => {
  const database = await emptyDatabase()
  const { url } = await startServer(database)
  const first = await createFirstAccount(database)
  expect(await ask(url, { 'x-api-key': first?.key ?? '' })).toMatchObject({ owner: first?.account.id })
  expect(await createFirstAccount(database)).toBeUndefined()
  expect(await listAccounts(database)).toHaveLength(1)
})
