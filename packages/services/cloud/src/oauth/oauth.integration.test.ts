import { expect, test, vi } from 'vitest'
import { disableAccount } from '../accounts/accounts.ts'
import { askTokens, createJar, MIA, newLogin, postForm, signIn, startOAuth } from '../fixtures/oauth.ts'

type Tokens = Awaited<ReturnType<typeof askTokens>> &
  Record<'access_token' | 'refresh_token' | 'id_token' | 'scope' | 'token_type', string>

/** A whole login: tokens of the account. */
const login = async (url: string) => {
  const login = newLogin(url)
  const end = await signIn(url, login)
  const tokens = await askTokens(url, {
    grant_type: 'authorization_code',
    code: end.searchParams.get('code') ?? '',
    redirect_uri: login.redirect_uri,
    code_verifier: login.verifier,
  })
  expect(tokens, JSON.stringify(tokens)).toMatchObject({ status: 200 })
  return tokens as Tokens
}

const accountOf = async (url: string, token = '') => {
  const reply = await fetch(`${url}/who`, { headers: { authorization: `Bearer ${token}` } })
  return reply.ok ? ((await reply.json()) as { owner: string }).owner : reply.status
}

const refresh = (url: string, token: string) => askTokens(url, { grant_type: 'refresh_token', refresh_token: token })

test('both discovery documents name the public address, and only what is there', async () => {
  const { url } = await startOAuth()
  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    const document = await (await fetch(`${url}/.well-known/${name}`)).json()
    expect(document).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      revocation_endpoint: `${url}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      response_types_supported: ['code'],
    })
    expect(document.scopes_supported).toEqual(expect.arrayContaining(['openid', 'email', 'renders']))
    for (const name of ['jwks_uri', 'userinfo_endpoint'])
      expect((await fetch(document[name])).status, name).not.toBe(404)
    expect(document).not.toHaveProperty('end_session_endpoint')
    expect(document).not.toHaveProperty('registration_endpoint')
  }
})

test('a login gives tokens that the API takes, and that are kept as hashes', async () => {
  const { url, accountId, database, logged } = await startOAuth()
  const tokens = await login(url)
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
  expect(tokens.scope.split(' ').sort()).toEqual(['email', 'offline_access', 'openid', 'renders'])
  expect(await accountOf(url, tokens.access_token)).toBe(accountId)
  // A refresh token is no access token.
  expect(await accountOf(url, tokens.refresh_token)).toBe(401)
  const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims).toMatchObject({ iss: url, aud: 'vid-cli', sub: accountId })
  const rowsText = JSON.stringify(await database.rows('SELECT * FROM vid.oauth_items'))
  for (const name of ['access_token', 'refresh_token'] as const) {
    expect(rowsText).not.toContain(tokens[name])
    expect(logged.join('')).not.toContain(tokens[name])
  }
  expect(logged.join('')).not.toContain(MIA.password)
})

test('a code works once; the second use ends what the first one gave', async () => {
  const { url, accountId } = await startOAuth()
  const login = newLogin(url)
  const end = await signIn(url, login)
  expect(end.searchParams.get('state')).toBe(login.state)
  expect(end.searchParams.get('iss')).toBe(url)
  expect(end.origin + end.pathname).toBe(login.redirect_uri)
  const exchange = {
    grant_type: 'authorization_code',
    code: end.searchParams.get('code') ?? '',
    redirect_uri: login.redirect_uri,
    code_verifier: login.verifier,
  }
  expect(await askTokens(url, { ...exchange, code_verifier: 'x'.repeat(43) })).toMatchObject({
    status: 400,
    error: 'invalid_grant',
  })
  const reply = await askTokens(url, exchange)
  expect(reply.status).toBe(200)
  const tokens = reply as unknown as Record<'access_token' | 'refresh_token', string>
  expect(await accountOf(url, tokens.access_token)).toBe(accountId)
  expect(await askTokens(url, exchange)).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(await refresh(url, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' })
  expect(await accountOf(url, tokens.access_token)).toBe(401)
})

test('two processes that refresh at once both stay signed in; a stolen old token ends the login', async () => {
  const { url, accountId, database } = await startOAuth()
  const first = await login(url)
  const [one, two] = await Promise.all([refresh(url, first.refresh_token), refresh(url, first.refresh_token)])
  expect([one.status, two.status]).toEqual([200, 200])
  const tokens = [one, two].map((reply) => reply as unknown as Record<string, string>)
  expect(new Set([first.refresh_token, ...tokens.map((pair) => pair.refresh_token)]).size).toBe(3)
  for (const pair of tokens) expect(await accountOf(url, pair.access_token)).toBe(accountId)
  const later = []
  for (const pair of tokens) later.push(await refresh(url, pair.refresh_token ?? ''))
  expect(later.map(({ status }) => status)).toEqual([200, 200])
  await database.run(`UPDATE vid.oauth_items SET consumed_at = consumed_at - interval '31 seconds'`)
  expect(await refresh(url, first.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' })
  const latest = later.map((reply) => (reply as unknown as { refresh_token: string }).refresh_token)
  for (const refreshToken of latest) expect(await refresh(url, refreshToken)).toMatchObject({ error: 'invalid_grant' })
})

test('a revoked login is over at once, and other logins go on', async () => {
  const { url, accountId } = await startOAuth()
  const one = await login(url)
  const two = await login(url)
  expect(await accountOf(url, one.access_token)).toBe(accountId)
  const reply = await postForm(`${url}/oauth/revoke`, { client_id: 'vid-cli', token: one.refresh_token })
  expect(reply.status).toBe(200)
  expect(await accountOf(url, one.access_token)).toBe(401)
  expect(await accountOf(url, two.access_token)).toBe(accountId)
  expect(await refresh(url, one.refresh_token)).toMatchObject({ error: 'invalid_grant' })
  expect(await refresh(url, two.refresh_token)).toMatchObject({ status: 200 })
})

test('a disabled account can neither refresh nor sign in', async () => {
  const { url, database, accountId } = await startOAuth()
  const tokens = await login(url)
  await disableAccount(database, accountId)
  expect(await refresh(url, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' })
  const jar = createJar()
  const interaction = new URL((await jar.fetch(newLogin(url).address)).headers.get('location') ?? '', url).href
  expect((await postForm(`${interaction}/sign-in`, MIA, jar.fetch)).status).toBe(401)
})

test.each([
  ['another redirect', { redirect_uri: 'http://127.0.0.1:4567/elsewhere' }],
  ['a redirect to another host', { redirect_uri: 'http://evil.example/callback' }],
  ['a redirect to a name', { redirect_uri: 'http://localhost:4567/callback' }],
  ['an unknown client', { client_id: 'other' }],
])('%s is refused on a page, without a redirect', async (_, more) => {
  const { url } = await startOAuth()
  const reply = await fetch(newLogin(url, more).address, { redirect: 'manual' })
  expect(reply.status).toBe(400)
  expect(reply.headers.get('location')).toBeNull()
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await reply.text()).not.toMatch(/<script/i)
})

test.each([
  ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['an id token in the address', { response_type: 'id_token', nonce: 'n' }, 'invalid_request'],
  ['a token in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
  ['a page that posts the code', { response_mode: 'form_post' }, 'invalid_request'],
])('%s is refused', async (_, more, error) => {
  const { url } = await startOAuth()
  const login = newLogin(url, more)
  const reply = await fetch(login.address, { redirect: 'manual' })
  const text = reply.headers.get('location') ?? (await reply.text())
  expect(text).toContain(error)
  expect(text).not.toMatch(/[?&#]code=|<script/)
})

test('a step of a sign-in works in the browser that began it, and nowhere else', async () => {
  const { url } = await startOAuth()
  const ownJar = createJar()
  const other = createJar()
  const begin = async (jar: typeof ownJar) =>
    new URL((await jar.fetch(newLogin(url).address)).headers.get('location') ?? '', url).href
  const interaction = await begin(ownJar)
  const elsewhere = await begin(other)
  for (const path of ['', '/sign-in', '/allow', '/cancel']) {
    const send = (fetcher: typeof ownJar.fetch, base = interaction) =>
      path === '' ? fetcher(base) : postForm(`${base}${path}`, MIA, fetcher)
    for (const reply of [await send(fetch), await send(other.fetch)]) {
      expect(reply.status, path).toBe(400)
      expect(await reply.text()).toContain('begun in another browser')
    }
  }
  // Allowing before signing in does nothing.
  expect((await postForm(`${interaction}/allow`, {}, ownJar.fetch)).status).toBe(400)
  expect((await ownJar.fetch(`${url}${new URL(elsewhere).pathname}`)).status).toBe(400)
  const foreign = await ownJar.fetch(`${interaction}/sign-in`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: new URLSearchParams(MIA),
  })
  expect(foreign.status).toBe(403)
})

test('cancelling tells the command so', async () => {
  const { url } = await startOAuth()
  const jar = createJar()
  const login = newLogin(url)
  const interaction = new URL((await jar.fetch(login.address)).headers.get('location') ?? '', url).href
  const back = await postForm(`${interaction}/cancel`, {}, jar.fetch)
  const end = new URL((await jar.fetch(back.headers.get('location') ?? '')).headers.get('location') ?? '')
  expect(end.href.startsWith(login.redirect_uri)).toBe(true)
  expect(Object.fromEntries(end.searchParams)).toMatchObject({ error: 'access_denied', state: login.state })
})

test('wrong passwords and unknown e-mails get the same answer, and only some attempts', async () => {
  const { url, logged } = await startOAuth()
  const jar = createJar()
  const interaction = new URL((await jar.fetch(newLogin(url).address)).headers.get('location') ?? '', url).href
  const attempt = async (email: string, password: string) => {
    const reply = await postForm(`${interaction}/sign-in`, { email, password }, jar.fetch)
    return { status: reply.status, text: (await reply.text()).replaceAll(email, '') }
  }
  const wrong = await attempt(MIA.email, 'hush-hush-hush')
  expect(wrong.status).toBe(401)
  expect(await attempt('zoe@example.com', 'hush-hush-hush')).toEqual(wrong)
  for (let count = 1; count < 10; count += 1) await attempt('MIA@example.com', 'x')
  const last = await attempt(MIA.email, MIA.password)
  expect(last.status).toBe(429)
  expect(last.text).toContain('too many attempts')
  expect(logged.join('')).not.toMatch(/hush/)
})

test('what is typed comes back as text, not as HTML', async () => {
  const { url } = await startOAuth()
  const jar = createJar()
  const interaction = new URL((await jar.fetch(newLogin(url).address)).headers.get('location') ?? '', url).href
  const email = '"><img src=x onerror=alert(1)>@x'
  const reply = await postForm(`${interaction}/sign-in`, { email, password: 'x' }, jar.fetch)
  const text = await reply.text()
  expect(text).toContain('&quot;&gt;&lt;img')
  expect(text).not.toContain('<img')
})

test('behind a proxy that ends TLS, the public address decides about addresses and cookies', async () => {
  const { url } = await startOAuth({ publicUrl: () => 'https://api.example', allowedHosts: ['api.example'] })
  const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
  const document = await (await fetch(`${url}/.well-known/openid-configuration`, { headers })).json()
  expect(JSON.stringify(document)).not.toContain('evil')
  expect(document).toMatchObject({
    issuer: 'https://api.example',
    token_endpoint: 'https://api.example/oauth/token',
  })
  const jar = createJar()
  const reply = await jar.fetch(newLogin(url).address, { headers })
  expect(reply.headers.get('location')).toMatch(/^\/oauth\/interaction\//)
  expect(jar.seen.length).toBeGreaterThan(0)
  for (const cookie of jar.seen) expect(cookie).toMatch(/;\s*secure\b.*/i)
  for (const cookie of jar.seen) expect(cookie).toMatch(/httponly/i)
})

test('nothing is written to the console', async () => {
  const consoleSpies = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name))
  const { url } = await startOAuth()
  const { refresh_token } = (await refresh(url, (await login(url)).refresh_token)) as Tokens
  await postForm(`${url}/oauth/revoke`, { client_id: 'vid-cli', token: refresh_token })
  for (const spy of consoleSpies) {
    expect(spy.mock.calls).toEqual([])
    spy.mockRestore()
  }
})

test('a server that starts again signs with the same keys', async () => {
  const first = await startOAuth()
  const keys = async (url: string) => (await fetch(`${url}/oauth/jwks`)).text()
  const before = await keys(first.url)
  await first.database.run('DELETE FROM vid.accounts')
  const second = await startOAuth({ database: first.database })
  expect(await keys(second.url)).toBe(before)
  expect(before).not.toContain('"d"')
})
