import { Agent, request as httpRequest } from 'node:http'
import { createConnection } from 'node:net'
import { expect, test } from 'vitest'
import { rawExchange, readReply, startServer } from './fixtures/test-server.ts'
import { clientGone, createServer } from './index.ts'

/** Something that a test waits for, and that a route says. */
const moment = <T>() => {
  let say: (value: T) => void = () => {}
  const said = new Promise<T>((resolve) => {
    say = resolve
  })
  return { say, said }
}

const serveWork = async () => {
  const started = moment<AbortSignal>()
  const finish = moment<void>()
  const server = await startServer({}, (app) => {
    app.post('/work', { schema: { operationId: 'work' }, config: { drains: true } }, async (_, reply) => {
      started.say(clientGone(reply))
      await finish.said
      return { done: true }
    })
    app.get('/health', { schema: { operationId: 'health' } }, async () => ({ status: 'ok' }))
  })
  return { ...server, started: started.said, finish: finish.say }
}

test('draining lets running requests end, refuses new work, and answers the rest', async () => {
  const { url, started, finish, drain, stopping } = await serveWork()
  const running = fetch(`${url}/work`, { method: 'POST' })
  await started
  const drained = drain(60_000)
  expect(stopping.aborted).toBe(true)
  const reply = await fetch(`${url}/work`, { method: 'POST' })
  expect([reply.status, reply.headers.get('connection')]).toEqual([503, 'close'])
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await reply.json()).toMatchObject({ error: { code: 'VID_SERVER_STOPPING' } })
  expect((await fetch(`${url}/health`)).status).toBe(200)
  finish()
  expect(await (await running).json()).toEqual({ done: true })
  expect(await drained).toBe(true)
  await expect(fetch(`${url}/health`)).rejects.toThrow()
})

test('while work without a request goes on, the server answers that it stops, and closes after it', async () => {
  const { url, drain } = await serveWork()
  const work = moment<void>()
  const drained = drain(60_000, { work: work.said })
  for (let count = 0; count < 3; count++) {
    const reply = await fetch(`${url}/work`, { method: 'POST' })
    expect([reply.status, await reply.json()]).toMatchObject([503, { error: { code: 'VID_SERVER_STOPPING' } }])
  }
  expect((await fetch(`${url}/health`)).status).toBe(200)
  work.say()
  expect(await drained).toBe(true)
  await expect(fetch(`${url}/health`)).rejects.toThrow()
})

test('work that fails keeps no server open', async () => {
  const { url, drain } = await serveWork()
  expect(await drain(60_000, { work: Promise.reject(new Error('the disk is full')) })).toBe(true)
  await expect(fetch(`${url}/health`)).rejects.toThrow()
})

test('what does not end in time is cut off', async () => {
  const { url, started, drain } = await serveWork()
  const running = fetch(`${url}/work`, { method: 'POST' })
  const departure = await started
  const cut = expect(running).rejects.toThrow()
  expect(await drain(20)).toBe(false)
  await cut
  expect(departure.aborted).toBe(true)
})

test('a server that is told twice to stop stops once', async () => {
  const { url, started, finish, drain, close } = await serveWork()
  const running = fetch(`${url}/work`, { method: 'POST' })
  await started
  const drained = [drain(60_000), drain(60_000)]
  finish()
  expect((await running).status).toBe(200)
  expect(await Promise.all(drained)).toEqual([true, true])
  await close()
})

test('idle connections are closed as soon as draining begins', async () => {
  const { port, url, started, finish, drain } = await serveWork()
  const idle = createConnection(port, '127.0.0.1')
  idle.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise((resolve) => idle.once('data', resolve))
  const running = fetch(`${url}/work`, { method: 'POST' })
  await started
  const closed = new Promise((resolve) => idle.once('close', resolve))
  const drained = drain(60_000)
  await closed
  finish()
  expect((await running).status).toBe(200)
  expect(await drained).toBe(true)
})

test('with a delay, a kept connection is answered while draining, and closed after it', async () => {
  const { port, drain } = await serveWork()
  const client = createConnection(port, '127.0.0.1')
  const answer = () => new Promise<string>((resolve) => client.once('data', (bytes) => resolve(String(bytes))))
  const ask = () => client.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  ask()
  await answer()
  const closed = new Promise((resolve) => client.once('close', resolve))
  const drained = drain(60_000, { delayMs: 1000 })
  const second = answer()
  ask()
  expect(await second).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i)
  await closed
  expect(await drained).toBe(true)
})

test('a client that leaves while it waits is noticed', async () => {
  const { port, started, finish } = await serveWork()
  const socket = createConnection(port, '127.0.0.1')
  socket.write('POST /work HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const departure = await started
  expect(departure.aborted).toBe(false)
  const aborted = new Promise((resolve) => departure.addEventListener('abort', resolve))
  socket.destroy()
  await aborted
  finish()
})

test('a client that got its reply never counts as gone, also when it closes its connection later', async () => {
  const { port, started, finish } = await serveWork()
  const agent = new Agent({ keepAlive: true })
  const reply = new Promise<void>((resolve) => {
    httpRequest({ agent, port, host: '127.0.0.1', path: '/work', method: 'POST' }, (response) => {
      response.resume()
      response.on('end', resolve)
    }).end()
  })
  const departure = await started
  finish()
  await reply
  const [socket] = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])
  const closed = new Promise((resolve) => socket?.once('close', resolve))
  agent.destroy()
  await closed
  // Another exchange makes sure that the server has seen the first connection close.
  readReply(await rawExchange(port, 'GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'))
  expect(departure.aborted).toBe(false)
})

test('a port that is taken is an error of the machine with a code', async () => {
  const { port } = await startServer()
  const other = await createServer({ api: { title: 'Test', version: '1' }, log: { level: 'silent' } })
  await expect(other.listen(port)).rejects.toMatchObject({ code: 'VID_SERVER_LISTEN', fault: 'machine' })
  await other.close()
})
