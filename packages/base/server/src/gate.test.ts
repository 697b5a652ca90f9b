import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { refusal, startServer } from './fixtures/test-server.ts'
import type { App } from './index.ts'

const TOKEN = 'first-token-of-the-tests'
const OTHER = 'other-token-of-the-tests'

const addRoutes = (app: App) => {
  app.get('/who', { schema: { operationId: 'who' } }, async ({ owner }) => ({ owner }))
  app.get('/health', { schema: { operationId: 'health' }, config: { public: true } }, async () => ({
    status: 'ok',
  }))
  app.post('/work', { schema: { operationId: 'work' } }, async () => ({ done: true }))
}

/** Status of a request whose headers fetch would not let us set. */
const statusWith = (port: number, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const onReply = (reply: IncomingMessage) => {
      reply.resume()
      resolve(reply.statusCode)
    }
    get({ port, host: '127.0.0.1', path: '/health', headers, agent: false }, onReply).on('error', reject)
  })

test.each([
  ['localhost', 200],
  ['LOCALHOST:1234', 200],
  ['localhost.', 200],
  ['127.0.0.1:9847', 200],
  ['127.1.2.3', 200],
  ['[::1]:9847', 200],
  ['studio.example', 200],
  ['studio.example:80', 200],
  ['evil.example', 421],
  ['127.0.0.1.evil.example', 421],
  ['localhost.evil.example', 421],
  ['evil.localhost', 421],
  ['192.168.0.1', 421],
  ['localhost@evil.example', 421],
  ['localhost:80:80', 421],
])('on a loopback address, the host %s is answered with %i', async (host, status) => {
  const { port } = await startServer({ allowedHosts: ['Studio.example'] }, addRoutes)
  expect(await statusWith(port, { host })).toBe(status)
})

test('on another address any host is answered, unless some are allowed', async () => {
  const open = await startServer({ host: '0.0.0.0', tokens: [TOKEN] }, addRoutes)
  expect(await statusWith(open.port, { host: 'render.example' })).toBe(200)
  const named = await startServer({ host: '0.0.0.0', tokens: [TOKEN], allowedHosts: ['render.example'] }, addRoutes)
  const statuses = ['render.example', 'other.example'].map((host) => statusWith(named.port, { host }))
  expect(await Promise.all(statuses)).toEqual([200, 421])
})

test('a page of another origin is refused, and one of the same or an allowed origin is not', async () => {
  const { url, port } = await startServer({ allowedOrigins: ['https://Studio.example/'] }, addRoutes)
  const ask = (origin: string) => fetch(`${url}/who`, { headers: { origin } })
  for (const origin of ['https://evil.example', 'null', `http://localhost:${port + 1}`, 'https://studio.example.evil'])
    expect(await refusal(await ask(origin))).toEqual([403, 'VID_HTTP_ORIGIN'])
  const reply = await ask(url)
  expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, null])
  const allowed = await ask('https://studio.example')
  expect([allowed.status, allowed.headers.get('access-control-allow-origin'), allowed.headers.get('vary')]).toEqual([
    200,
    'https://studio.example',
    'origin',
  ])
})

test('a form of another site is refused where a browser says so, even without an origin', async () => {
  const { url } = await startServer({}, addRoutes)
  const send = (method: string, path: string, site: string) =>
    fetch(`${url}${path}`, { method, headers: { 'sec-fetch-site': site } })
  for (const site of ['cross-site', 'same-site'])
    expect(await refusal(await send('POST', '/work', site))).toEqual([403, 'VID_HTTP_ORIGIN'])
  expect((await send('POST', '/work', 'same-origin')).status).toBe(200)
  expect((await send('GET', '/who', 'cross-site')).status).toBe(200)
})

test('a browser of an allowed origin that asks first is told what it may send, without a token', async () => {
  const { url } = await startServer({ tokens: [TOKEN], allowedOrigins: ['https://studio.example'] }, addRoutes)
  const ask = (origin: string) =>
    fetch(`${url}/work`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })
  const allowed = await ask('https://studio.example')
  expect(allowed.status).toBe(204)
  expect(allowed.headers.get('access-control-allow-methods')).toBe('POST')
  expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization')
  expect((await ask('https://evil.example')).status).toBe(403)
})

test.each([
  undefined,
  'Bearer',
  'Bearer ',
  `Bearer ${TOKEN.slice(0, -1)}`,
  `Bearer ${TOKEN}x`,
  `Bearer ${TOKEN.toUpperCase()}`,
  `Bearer ${TOKEN} ${TOKEN}`,
  `Basic ${Buffer.from(`user:${TOKEN}`).toString('base64')}`,
  TOKEN,
])('%s is no token, for known and unknown addresses alike', async (authorization) => {
  const { url } = await startServer({ tokens: [TOKEN, OTHER] }, addRoutes)
  for (const path of ['/who', '/nothing']) {
    const response = await fetch(`${url}${path}`, {
      headers: authorization === undefined ? {} : { authorization },
    })
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await refusal(response)).toEqual([401, 'VID_HTTP_UNAUTHORIZED'])
  }
})

test('each token has an owner of its own that does not contain it, and public routes need none', async () => {
  const { url } = await startServer({ tokens: [TOKEN, OTHER] }, addRoutes)
  const ownerOf = async (token: string) => {
    const response = await fetch(`${url}/who`, { headers: { authorization: `bearer ${token}` } })
    return ((await response.json()) as { owner: string }).owner
  }
  const owners = [await ownerOf(TOKEN), await ownerOf(OTHER), await ownerOf(TOKEN)]
  expect(owners[0]).toMatch(/^[0-9a-f]{24}$/)
  expect(owners[2]).toBe(owners[0])
  expect(owners[1]).not.toBe(owners[0])
  expect((await fetch(`${url}/health`)).status).toBe(200)
})

test('a server can know its clients in its own way', async () => {
  const { url } = await startServer(
    { authenticate: async ({ headers }) => (headers['x-api-key'] === 'key' ? 'account 1' : undefined) },
    addRoutes,
  )
  const response = await fetch(`${url}/who`, { headers: { 'x-api-key': 'key' } })
  expect(await response.json()).toEqual({ owner: 'account 1' })
  expect((await fetch(`${url}/who`)).status).toBe(401)
})
