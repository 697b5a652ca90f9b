import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { rawExchange, readReply, startServer } from './fixtures/test-server.ts'
import type { App } from './index.ts'

const TOKEN = 'a-token-of-a-test-0123456789'
const OTHER = 'another-token-of-a-test-0123'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const addRoutes = (app: App) => {
  app.get('/quick', { schema: { operationId: 'quick' } }, async () => ({ ok: true }))
  app.post('/echo', { schema: { operationId: 'echo' } }, async ({ body }) => ({ body }))
  app.get('/waits', { schema: { operationId: 'waits' } }, (_request, reply) => void reply.hijack())
}

/** Connections of this machine that have sent the same bytes and wait; each counts when it is closed. */
const hold = async (port: number, count: number, bytes: string) => {
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let index = 0; index < count; index += 1) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(bytes)
    sockets.push(socket)
  }
  return sockets
}

const slowPost = (token: string) =>
  `POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n`

test.each([
  ['send nothing', ''],
  ['send one byte', 'G'],
  ['send one byte of a body without a credential', `${slowPost('of-nobody-0123456789')}{`],
])('connections that %s keep nobody out', async (_, bytes) => {
  const { url, port } = await startServer({ tokens: [TOKEN], limits: { maxConnections: 40 } }, addRoutes)
  await hold(port, 40, bytes)
  for (let times = 0; times < 3; times += 1) {
    const reply = await fetch(`${url}/quick`, { headers: { ...bearer(TOKEN), connection: 'close' } })
    expect(reply.status).toBe(200)
  }
})

test('a request that is answered, and a body of somebody known, are not cut for new connections', async () => {
  const { port } = await startServer({ tokens: [TOKEN], limits: { maxConnections: 10 } }, addRoutes)
  const waiting = `GET /waits HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`
  const [answered] = await hold(port, 1, waiting)
  const [sending] = await hold(port, 1, `${slowPost(TOKEN)}{`)
  const idle = await hold(port, 20, 'G')
  await expect.poll(() => idle.filter(({ closed }) => closed)).toHaveLength(12)
  expect([answered?.closed, sending?.closed]).toEqual([false, false])
})

test('a body that stands still or drips is cut with a code, one that arrives in time is not', async () => {
  const limits = { bodyStallTimeoutMs: 400, minBodyBytesPerSecond: 1000, checkIntervalMs: 50 }
  const start = (more = {}) => startServer({ tokens: [TOKEN], limits: { ...limits, ...more } }, addRoutes)
  const impatient = await start()
  const still = readReply(await rawExchange(impatient.port, `${slowPost(TOKEN)}{`))
  expect([still.status, still.body.error.code]).toEqual([408, 'VID_HTTP_TIMEOUT'])

  const send = async (port: number, bytes: string) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    socket.on('error', () => {})
    socket.write(`${slowPost(TOKEN).replace('1000000', '200000')}"`)
    let remaining = 199_999
    const sending = setInterval(() => {
      const part = remaining <= bytes.length ? `${'x'.repeat(remaining - 1)}"` : bytes
      remaining -= part.length
      if (!socket.destroyed) socket.write(part)
      if (remaining === 0) clearInterval(sending)
    }, 50)
    await expect.poll(() => text).toMatch(/^HTTP\/1.1 \d/)
    clearInterval(sending)
    socket.destroy()
    return Number(text.slice(9, 12))
  }
  // On a busy machine, what arrives in time stands still now and then.
  const patient = await start({ bodyStallTimeoutMs: 60_000 })
  // 20 bytes a second, and 200,000.
  const ends = [send(impatient.port, 'x'), send(patient.port, 'x'.repeat(10_000))]
  expect(await Promise.all(ends)).toEqual([408, 200])
})

test('one token has a share of the requests that are answered, and leaves the others their own', async () => {
  const options = { tokens: [TOKEN, OTHER], limits: { maxRequestsPerOwner: 3 } }
  const { url, port } = await startServer(options, addRoutes)
  const sockets = await hold(
    port,
    3,
    `GET /waits HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`,
  )
  const quick = (token: string) => fetch(`${url}/quick`, { headers: bearer(token) })
  await expect.poll(async () => (await quick(TOKEN)).status).toBe(429)
  expect((await quick(TOKEN)).headers.get('retry-after')).toBe('5')
  expect((await quick(OTHER)).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await quick(TOKEN)).status).toBe(200)
})
