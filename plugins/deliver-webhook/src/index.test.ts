import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { noSources, type RenderResult, type Warning } from '@vid/kernel'
import { expect, onTestFinished, test } from 'vitest'
import webhook, { verifySignature } from './index.ts'
import { retryAfterMs, waitMs } from './retry-after.ts'

const secret = 'a-secret-of-some-length'
const result: RenderResult = {
  outputPath: '/videos/höhe 1.mp4',
  fileSize: 5,
  durationMs: 500,
  renderTimeMs: 7,
  frames: 15,
  warnings: [],
}

interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly at: number
}

/** A receiver that answers with each fault in turn, and then always with the last one. */
const receiver = async (...answers: ((reply: ServerResponse, request: IncomingMessage) => void)[]) => {
  const received: Received[] = []
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const answer = answers[Math.min(received.length, answers.length - 1)]
    received.push({ headers: request.headers, body, at: performance.now() })
    answer?.(reply, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=hush`, received }
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (reply: ServerResponse) =>
    void reply.writeHead(code, headers).end('x'.repeat(10))
const hangUp = (_: ServerResponse, request: IncomingMessage) => void request.socket.destroy()

/** Delivers a result and returns the error, if any, and the warnings. */
const deliver = async (
  options: Partial<Parameters<typeof webhook>[0]> & { url: string },
  signal = new AbortController().signal,
  delivered?: RenderResult['delivered'],
) => {
  const plugin = webhook({ backOffMs: 1, ...options })
  const warnings: Warning[] = []
  const context = {
    ...plugin,
    signal,
    projectDir: '/',
    workDir: '/',
    sources: noSources,
    warn: (w: Warning) => warnings.push(w),
  }
  const error = await plugin.deliver({ path: '/made' }, { ...result, ...(delivered && { delivered }) }, context).then(
    () => undefined,
    (thrown: { code?: string; message: string }) => thrown,
  )
  return { error, warnings }
}

test('the addresses of deliveries before this one are in the message', async () => {
  const { url, received } = await receiver(status(204))
  const delivered = [{ plugin: '@vid/deliver-s3', address: 's3://films/a.mp4' }]
  await deliver({ url }, undefined, delivered)
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ delivered })
})

test('the result is posted once, with a signature over timestamp and body', async () => {
  const { url, received } = await receiver(status(204))
  const headers = { Authorization: 'Bearer hush', 'Content-Type': 'text/plain' }
  expect(await deliver({ url, secret, headers })).toEqual({ error: undefined, warnings: [] })
  expect(received).toHaveLength(1)
  const [{ headers: sent, body }] = received as [Received]
  expect(JSON.parse(body)).toEqual({
    type: 'render-complete',
    location: pathToFileURL(result.outputPath).href,
    ...result,
  })
  expect(sent).toMatchObject({ 'content-type': 'application/json', authorization: 'Bearer hush' })
  const timestamp = String(sent['x-vid-timestamp'])
  const signature = String(sent['x-vid-signature'])
  const message = { secret, timestamp, signature, body }
  expect(verifySignature(message)).toBe(true)
  for (const forged of [
    { body: body.replace('15', '16') },
    { secret: `${secret}!` },
    { timestamp: `${Number(timestamp) + 1}` },
    { signature: '' },
    { maxAge: -1 },
  ])
    expect(verifySignature({ ...message, ...forged }), Object.keys(forged)[0]).toBe(false)
})

test('without a secret the message is not signed, and the base URL leads to the file', async () => {
  const { url, received } = await receiver(status(200))
  await deliver({ url, baseUrl: 'https://cdn.example.com/v/' })
  expect(received[0]?.headers).not.toHaveProperty('x-vid-signature')
  expect(JSON.parse(received[0]?.body ?? '').location).toBe('https://cdn.example.com/v/h%C3%B6he%201.mp4')
})

test.each([
  ['a server error', status(503), /status 503/],
  ['too many requests', status(429), /status 429/],
  ['a connection that breaks', hangUp, /other side closed|socket hang up|ECONNRESET/],
])('%s is retried with the same body and id until the receiver accepts', async (_, fault, reason) => {
  const { url, received } = await receiver(fault, fault, status(200))
  const { error, warnings } = await deliver({ url, secret })
  expect(error).toBeUndefined()
  expect(received).toHaveLength(3)
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['x-vid-delivery'])).size).toBe(1)
  expect(warnings.map(({ code }) => code)).toEqual(['VID_WEBHOOK_RETRIED', 'VID_WEBHOOK_RETRIED'])
  expect(warnings[0]?.message).toMatch(reason)
})

test('a request that times out is retried', async () => {
  const { url, received } = await receiver(() => {}, status(200))
  const { error, warnings } = await deliver({ url, timeoutMs: 100 })
  expect(error).toBeUndefined()
  expect(received).toHaveLength(2)
  expect(warnings[0]?.message).toContain('no answer within 100 ms')
})

test('Retry-After is respected', async () => {
  const { url, received } = await receiver(status(429, { 'retry-after': '1' }), status(200))
  await deliver({ url })
  expect((received[1]?.at ?? 0) - (received[0]?.at ?? 0)).toBeGreaterThan(950)
})

test.each([400, 401, 403, 404, 410])('status %i is final', async (code) => {
  const { url, received } = await receiver(status(code), status(200))
  const { error } = await deliver({ url })
  expect(error).toMatchObject({ code: 'VID_WEBHOOK_REFUSED', final: true })
  expect(error?.message).toContain(`status ${code}`)
  expect(received).toHaveLength(1)
})

test('a redirect is never followed', async () => {
  const other = await receiver(status(200))
  const { url, received } = await receiver(status(307, { location: other.url }))
  const { error } = await deliver({ url, secret })
  expect(error).toMatchObject({ code: 'VID_WEBHOOK_REDIRECTED' })
  expect([received.length, other.received.length]).toEqual([1, 0])
  expect(error?.message).not.toContain('hush')
})

test('a receiver that never accepts is an error with the reason and without secrets', async () => {
  const { url, received } = await receiver(status(500))
  const { error, warnings } = await deliver({ url, secret, attempts: 3 })
  expect(error).toMatchObject({ code: 'VID_WEBHOOK_UNREACHABLE' })
  expect(error?.message).toMatch(/in 3 attempts: status 500/)
  expect(received).toHaveLength(3)
  const said = JSON.stringify([error, error?.message, warnings])
  expect(said).not.toMatch(/hush|a-secret/)
})

test('no server at the address is an error', async () => {
  const { error } = await deliver({ url: 'http://127.0.0.1:9/hook', attempts: 2 })
  expect(error?.message).toMatch(/in 2 attempts: .*ECONNREFUSED|bad port/)
})

test('an abort ends the wait for the next attempt at once', async () => {
  const stop = new AbortController()
  const { url, received } = await receiver((reply) => {
    status(500)(reply)
    stop.abort(new Error('enough'))
  })
  const { error } = await deliver({ url, backOffMs: 60_000 }, stop.signal)
  expect(error?.message).toMatch(/enough|aborted/)
  expect(received).toHaveLength(1)
})

test.each([
  ['http://example.com/hush', 'VID_WEBHOOK_URL'],
  ['ftp://127.0.0.1/hush', 'VID_WEBHOOK_URL'],
  ['https://me:hush@example.com/', 'VID_WEBHOOK_URL'],
  ['hush', 'VID_WEBHOOK_URL'],
])('the address %s is an error before anything is rendered', (url, code) => {
  expect(() => webhook({ url })).toThrow(expect.objectContaining({ code }))
  expect(() => webhook({ url })).not.toThrow(/hush/)
})

test('an invalid header or secret is an error that does not show its value', () => {
  const url = 'https://example.com/'
  expect(() => webhook({ url, headers: { authorization: 'hush\n' } })).not.toThrow()
  expect(() => webhook({ url, headers: { authorization: 'hu\nsh' } })).toThrow(/"authorization"/)
  expect(() => webhook({ url, headers: { authorization: 'hu\nsh' } })).not.toThrow(/hu/)
  expect(() => webhook({ url, secret: 'hush' })).toThrow(/Options of @vid\/deliver-webhook/)
  expect(() => webhook({ url, secret: 'hush' })).not.toThrow(/hush/)
})

test('waits double with jitter, up to a minute', () => {
  expect([1, 2, 3].every((failures) => waitMs(failures, 1000, undefined) <= 1000 * 2 ** (failures - 1))).toBe(true)
  expect(waitMs(20, 1000, undefined)).toBeGreaterThan(30_000)
  expect(waitMs(1, 1000, 5_000_000)).toBe(60_000)
  expect(retryAfterMs('7')).toBe(7000)
  expect(retryAfterMs('Wed, 21 Oct 2015 07:28:05 GMT', Date.UTC(2015, 9, 21, 7, 28))).toBe(5000)
  expect(retryAfterMs('soon')).toBeUndefined()
  expect(retryAfterMs(null)).toBeUndefined()
})
