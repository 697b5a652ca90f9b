import { expect, test } from 'vitest'
import { createAccount, disableAccount, listAccounts } from '../accounts/accounts.ts'
import { emptyDatabase } from '../fixtures/database.ts'
import { askTokens, createJar, MIA, newLogin, postForm, startOAuth } from '../fixtures/oauth.ts'
import { startOpenId } from '../fixtures/openid-provider.ts'

/** Follows redirects as a browser does, until something else is answered, or the command is reached. */
const follow = async (jar: ReturnType<typeof createJar>, from: string, until = 'http://127.0.0.1:45678/') => {
  const visited: string[] = []
  for (let address = from; ; ) {
    visited.push(address)
    if (address.startsWith(until)) return { visited, address, status: 0, text: '' }
    const reply = await jar.fetch(address)
    const location = reply.headers.get('location')
    if (location === null) return { visited, address, status: reply.status, text: await reply.text() }
    address = new URL(location, address).href
  }
}

const start = async (person: Record<string, unknown>, mayCreateAccounts = false) => {
  const { state, upstream } = await startOpenId(person)
  const server = await startOAuth({ upstream: { ...upstream, mayCreateAccounts } })
  return { ...server, state }
}

test('the operator’s provider signs in an account by its verified e-mail address', async () => {
  const { url, accountId } = await start({ email: 'Mia@Example.com', email_verified: true })
  const jar = createJar()
  const login = newLogin(url)
  const consent = await follow(jar, login.address)
  expect(consent).toMatchObject({
    status: 200,
    text: expect.stringContaining('Allow vid to use your account?'),
  })
  const back = (await postForm(`${consent.address}/allow`, {}, jar.fetch)).headers.get('location') ?? ''
  const end = new URL((await follow(jar, back)).address)
  const tokens = await askTokens(url, {
    grant_type: 'authorization_code',
    code: end.searchParams.get('code') ?? '',
    code_verifier: login.verifier,
    redirect_uri: login.redirect_uri,
  })
  const { access_token: token } = tokens as unknown as { access_token: string }
  const reply = await fetch(`${url}/who`, { headers: { authorization: `Bearer ${token}` } })
  expect(await reply.json()).toEqual({ owner: accountId })
})

test.each([
  ['an e-mail address that is not verified', { email: MIA.email }, /no account for your verified/],
  ['a false one', { email: MIA.email, email_verified: false }, /no account for your verified/],
  ['an unknown person', { email: 'zoe@example.com', email_verified: true }, /no account for your verified/],
  ['a token of another client', { email: MIA.email, email_verified: true, aud: 'other' }, /not signed in/],
  ['a token with another nonce', { email: MIA.email, email_verified: true, nonce: 'other' }, /not signed in/],
])('%s signs nobody in', async (_, person, words) => {
  const { url, database } = await start(person)
  const end = await follow(createJar(), newLogin(url).address)
  expect(end.status).toBeGreaterThanOrEqual(400)
  expect(end.text).toMatch(words)
  expect(await listAccounts(database)).toHaveLength(1)
})

test('accounts are made where that is allowed, once, and disabled ones stay out', async () => {
  const { url, database } = await start({ email: 'zoe@example.com', email_verified: true, name: 'Zoe' }, true)
  for (let count = 0; count < 2; count += 1)
    expect(await follow(createJar(), newLogin(url).address)).toMatchObject({ status: 200 })
  const accounts = (await listAccounts(database)).filter(({ email }) => email === 'zoe@example.com')
  expect(accounts).toMatchObject([{ name: 'Zoe', hasPassword: false }])
  await disableAccount(database, 'zoe@example.com')
  expect(await follow(createJar(), newLogin(url).address)).toMatchObject({ status: 403 })
})

test('the end of a sign-in works in the browser that began it, once, and not with a password', async () => {
  const { url } = await start({ email: MIA.email, email_verified: true })
  const jar = createJar()
  const { visited } = await follow(jar, newLogin(url).address)
  const end = visited.find((address) => address.includes('/upstream/end?')) ?? ''
  expect((await fetch(end)).status).toBe(400)
  expect((await jar.fetch(end)).status).toBe(400)
  const other = createJar()
  await other.fetch(newLogin(url).address)
  expect((await other.fetch(end)).status).toBe(400)
  for (const query of ['', '?state=x', '?code=x&state=../../../v3.x'])
    expect((await fetch(`${url}/oauth/callback${query}`, { redirect: 'manual' })).status).toBe(400)
  const late = createJar()
  const interaction = new URL((await late.fetch(newLogin(url).address)).headers.get('location') ?? '', url).href
  expect((await postForm(`${interaction}/sign-in`, MIA, late.fetch)).status).toBe(400)
})

test('a provider that is down is told, and used again when it is back', async () => {
  const { url, state } = await start({ email: MIA.email, email_verified: true })
  state.isDown = true
  expect(await follow(createJar(), newLogin(url).address)).toMatchObject({ status: 503 })
  state.isDown = false
  expect(await follow(createJar(), newLogin(url).address)).toMatchObject({ status: 200 })
})

test('two sign-ins of a new person at once make one account', async () => {
  const database = await emptyDatabase()
  const { accountOf } = await import('./upstream.ts')
  const zoe = { email: 'zoe@example.com', name: undefined }
  const accountIds = await Promise.all([accountOf(database, zoe, true), accountOf(database, zoe, true)])
  expect(new Set(accountIds).size).toBe(1)
  await createAccount(database, {})
  expect(await listAccounts(database)).toHaveLength(2)
})
