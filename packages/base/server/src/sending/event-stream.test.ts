import { createConnection } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startServer } from '../fixtures/test-server.ts'
import { type EventStream, type EventStreamOptions, openEventStream } from '../index.ts'

/** A server whose route /events hands its streams to the test. */
const serveEvents = async (options: EventStreamOptions = {}) => {
  let give: (stream: EventStream) => void = () => {}
  const opened = new Promise<EventStream>((resolve) => {
    give = resolve
  })
  const server = await startServer({}, (app) => {
    app.get('/events', { schema: { operationId: 'events' } }, (request, reply) => {
      give(openEventStream(request, reply, options))
    })
  })
  return { ...server, opened }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

const REQUEST = 'GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('events arrive in order as JSON, with headers that keep proxies from holding them back', async () => {
  const { url, opened } = await serveEvents()
  const response = await fetch(`${url}/events`)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': expect.any(String),
  })
  const stream = await opened
  stream.send({ type: 'queued', text: 'two\nlines' })
  stream.send({ type: 'complete' })
  await stream.close()
  stream.send({ type: 'late' })
  expect(await response.text()).toBe('data: {"type":"queued","text":"two\\nlines"}\n\ndata: {"type":"complete"}\n\n')
  expect(stream.gone.aborted).toBe(false)
})

test('a heartbeat keeps a quiet stream alive', async () => {
  const { url, opened } = await serveEvents({ heartbeatMs: 5 })
  const response = await fetch(`${url}/events`)
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  expect(new TextDecoder().decode(value)).toContain(': heartbeat\n\n')
  await (await opened).close()
})

test('a client that leaves is noticed, also before the first event', async () => {
  const { port, opened } = await serveEvents()
  const socket = createConnection(port, '127.0.0.1')
  socket.write(REQUEST)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.destroy()
  const stream = await opened
  await aborted(stream.gone)
  stream.send({ type: 'complete' })
  await stream.close()
})

const SENT = 40_000

test('a slow client gets the newest progress and every other event, and no more than fits its connection', async () => {
  const { port, opened } = await serveEvents()
  const socket = createConnection(port, '127.0.0.1')
  socket.setEncoding('utf8')
  socket.write(REQUEST)
  await new Promise((resolve) => socket.once('readable', resolve))
  const stream = await opened
  for (let count = 0; count < SENT; count++) {
    stream.send({ type: 'progress', sent: count, padding: 'x'.repeat(1_000) }, { replaces: 'progress' })
    if (count % 100 === 0) await nextTurn()
  }
  stream.send({ type: 'warning' })
  stream.send({ type: 'complete' })
  void stream.close()
  let received = ''
  socket.on('data', (text) => {
    received += text
  })
  await new Promise<void>((resolve) => {
    socket.on('data', () => received.includes('"complete"') && resolve())
  })
  const progress = received.match(/"progress","sent":(\d+)/g) ?? []
  expect(progress.length).toBeLessThan(SENT / 2)
  expect(progress.at(-1)).toBe(`"progress","sent":${SENT - 1}`)
  expect(received.indexOf('"warning"')).toBeGreaterThan(received.indexOf(`"sent":${SENT - 1}`))
  expect(received.indexOf('"warning"')).toBeLessThan(received.indexOf('"complete"'))
})

test('a client for which too much waits is cut off', async () => {
  const { port, opened } = await serveEvents({ maxWaitingBytes: 64 * 1024 })
  const socket = createConnection(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(REQUEST)
  await new Promise((resolve) => socket.once('readable', resolve))
  const stream = await opened
  while (!stream.gone.aborted) {
    stream.send({ type: 'warning', padding: 'x'.repeat(10_000) })
    await nextTurn()
  }
  await stream.close()
})

test('a client that stops reading is cut off in time', async () => {
  const { port, opened } = await serveEvents({ stallTimeoutMs: 50, heartbeatMs: 60_000 })
  const socket = createConnection(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(REQUEST)
  await aborted((await opened).gone)
})

test('HEAD gets the headers and no stream', async () => {
  const { url } = await serveEvents()
  const response = await fetch(`${url}/events`, { method: 'HEAD' })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
})
