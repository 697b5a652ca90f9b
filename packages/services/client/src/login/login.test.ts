import { lstat, mkdtemp, readFile, rm } from 'node:fs/promises'
import { request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { credentialsPath } from '../credentials/file.ts'
import { json, refuse } from '../fixtures/answers.ts'
import { type CloudScript, startCloudServer } from '../fixtures/cloud-server.ts'
import { login } from '../index.ts'

/** Begins a sign-in, and gives its address to `browse` as a browser would have it. */
const signIn = async (
  browse: (address: URL, redirectUri: URL) => Promise<unknown>,
  { script = {}, timeoutMs = 20_000 }: { script?: CloudScript; timeoutMs?: number } = {},
) => {
  const HOME = await mkdtemp(join(tmpdir(), 'login-'))
  onTestFinished(() => rm(HOME, { recursive: true, force: true }))
  const path = credentialsPath({ HOME })
  const server = await startCloudServer(script)
  const stop = new AbortController()
  let browsing: Promise<unknown> = Promise.resolve()
  let redirectUri: URL | undefined
  const user = await login({
    url: server.url,
    path,
    timeoutMs,
    signal: stop.signal,
    onAddress(text) {
      const address = new URL(text)
      redirectUri = new URL(address.searchParams.get('redirect_uri') ?? '')
      browsing = browse(address, redirectUri).then((reason) => {
        if (reason instanceof Error) stop.abort(reason)
      })
    },
  }).catch((error: unknown) => error as { code?: string; message: string })
  await browsing
  const isOpen =
    redirectUri &&
    (await fetch(redirectUri).then(
      () => true,
      () => false,
    ))
  const stored = await readFile(path, 'utf8').then(JSON.parse, () => undefined)
  return { user, server, path, stored, isOpen }
}

/** A browser that does what the server says. */
const follow = async (address: URL) => (await fetch(address)).text()

/** A browser that comes back with its own parameters. */
const comeBack = async (redirectUri: URL, parameters: Readonly<Record<string, string>>, init: RequestInit = {}) => {
  const address = new URL(redirectUri)
  address.search = String(new URLSearchParams(parameters))
  const reply = await fetch(address, init)
  return { status: reply.status, text: await reply.text() }
}

test('a person signs in, is told to close the tab, and the tokens are stored', async () => {
  let page = ''
  const { user, server, stored, path, isOpen } = await signIn(async (address) => {
    page = await follow(address)
  })
  expect(user).toMatchObject({ email: 'ann@example.com', credential: 'oauth' })
  expect(page).toContain('You can close this tab')
  expect(stored).toMatchObject({
    api_url: server.url,
    oauth: {
      token_type: 'bearer',
      expires_at: expect.any(Number),
      refresh_token: expect.stringMatching(/^refresh-/),
    },
    user: { email: 'ann@example.com' },
  })
  expect((await lstat(path)).mode & 0o777).toBe(0o600)
  expect(isOpen).toBe(false)
})

test('the address asks for a code with a challenge, on this machine, at a random port', async () => {
  let authorizeUrl: URL | undefined
  await signIn(async (address) => {
    authorizeUrl = address
    await follow(address)
  })
  const { client_id, response_type, code_challenge_method, scope, redirect_uri, state } = Object.fromEntries(
    authorizeUrl?.searchParams ?? [],
  )
  expect({ client_id, response_type, code_challenge_method, scope }).toEqual({
    client_id: 'vid-cli',
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'openid email offline_access renders',
  })
  expect(redirect_uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  expect(state?.length).toBeGreaterThan(30)
})

/** Sends a request with another Host header. */
const withHost = (address: URL, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    send(address, { headers: { host } }, (reply) => {
      reply.resume()
      resolve(reply.statusCode)
    })
      .once('error', reject)
      .end()
  })

test('stray requests, wrong states and other methods do not end a sign-in', async () => {
  const statuses: unknown[] = []
  const { user } = await signIn(async (address, redirectUri) => {
    const state = address.searchParams.get('state') ?? ''
    const good = { state, code: 'x' }
    statuses.push((await comeBack(redirectUri, {})).status)
    statuses.push((await comeBack(redirectUri, { state: 'wrong', code: 'x' })).status)
    statuses.push((await comeBack(redirectUri, { code: 'x', error: 'access_denied' })).status)
    statuses.push((await comeBack(redirectUri, good, { method: 'POST' })).status)
    statuses.push((await comeBack(new URL('/favicon.ico', redirectUri), good)).status)
    statuses.push((await comeBack(new URL('/', redirectUri), good)).status)
    const twice = new URL(redirectUri)
    twice.search = `state=${state}&state=other&code=x`
    statuses.push((await fetch(twice)).status)
    const other = new URL(redirectUri)
    other.search = `state=${state}&code=x`
    statuses.push(await withHost(other, 'evil.example'))
    await follow(address)
  })
  expect(user).toMatchObject({ email: 'ann@example.com' })
  expect(statuses).toEqual(Array.from({ length: 8 }, () => 404))
})

test('an error of the server ends the sign-in, is shown in the browser as text, and stores nothing', async () => {
  let page = ''
  const { user, stored, isOpen } = await signIn(async (address, redirectUri) => {
    const { text } = await comeBack(redirectUri, {
      state: address.searchParams.get('state') ?? '',
      error: 'access_denied',
      error_description: '<script>alert(1)</script>',
      iss: address.origin,
    })
    page = text
  })
  expect(user).toMatchObject({ code: 'VID_LOGIN_REFUSED', message: expect.stringContaining('access_denied') })
  expect(page).toContain('not signed in')
  expect(page).not.toContain('<script>')
  expect([stored, isOpen]).toEqual([undefined, false])
})

test('an answer of another server is refused', async () => {
  const { user, stored } = await signIn((address, redirectUri) =>
    comeBack(redirectUri, {
      state: address.searchParams.get('state') ?? '',
      code: 'x',
      iss: 'https://evil.example',
    }),
  )
  expect([user, stored]).toMatchObject([{ code: 'VID_LOGIN_SERVER' }, undefined])
})

test('a code that somebody else has begun is refused', async () => {
  const { user, stored } = await signIn((address, redirectUri) =>
    comeBack(redirectUri, {
      state: address.searchParams.get('state') ?? '',
      code: 'stolen',
      iss: address.origin,
    }),
  )
  expect([user, stored]).toMatchObject([{ code: 'VID_LOGIN_REFUSED' }, undefined])
})

test('a tab that is closed ends in a time-out', async () => {
  const { user, isOpen } = await signIn(async () => {}, { timeoutMs: 200 })
  expect([user, isOpen]).toMatchObject([{ code: 'VID_LOGIN_TIMEOUT' }, false])
})

test('an abort ends a sign-in with its reason', async () => {
  const reason = new Error('enough')
  const { user, isOpen } = await signIn(async () => reason)
  expect([user, isOpen]).toEqual([reason, false])
})

const metadata = '/.well-known/oauth-authorization-server'
test.each<readonly [string, CloudScript['answers'], string]>([
  ['has no sign-in', { [`GET ${metadata}`]: () => refuse(404, 'not_found') }, 'VID_LOGIN_SERVER'],
  [
    'says that it is another one',
    { [`GET ${metadata}`]: () => json({ issuer: 'https://evil.example' }) },
    'VID_LOGIN_SERVER',
  ],
  [
    'sends tokens without https',
    {
      [`GET ${metadata}`]: ({ headers }) =>
        json({
          issuer: `http://${headers.host}`,
          token_endpoint: 'http://evil.example/token',
          authorization_endpoint: `http://${headers.host}/oauth/authorize`,
        }),
    },
    'VID_API_ADDRESS',
  ],
])('a server that %s is refused', async (_name, answers, code) => {
  const { user } = await signIn(follow, { script: { answers: answers ?? {} } })
  expect(user).toMatchObject({ code })
})

test('a token that the API does not take is not stored', async () => {
  const { user, stored } = await signIn(follow, {
    script: { answers: { 'GET /v3/users': () => refuse(403, 'forbidden') } },
  })
  expect([user, stored]).toMatchObject([{ code: 'forbidden' }, undefined])
})
