import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { defineErrors, Type } from '@vid/protocol'
import { expect, test } from 'vitest'
import { type ReplyBody, rawExchange, readReply, refusal, startServer } from './fixtures/test-server.ts'
import type { App } from './index.ts'

const fail = defineErrors({
  VID_TEST_CALLER: (f: { field: string }) => ({
    message: `${f.field} is wrong in ${tmpdir()}/project-1/index.html`,
    hint: 'correct it',
    fault: 'caller',
  }),
  VID_TEST_MACHINE: (_: object) => ({
    message: 'no space in /srv/secret',
    hint: 'see /srv',
    fault: 'machine',
  }),
})

const addEcho = (app: App) => {
  app.post(
    '/echo',
    {
      schema: {
        operationId: 'echo',
        body: Type.Object({ fps: Type.Optional(Type.Number()) }, { additionalProperties: false }),
        querystring: Type.Object({ limit: Type.Optional(Type.Integer()) }),
      },
    },
    async ({ body, query }) => ({ body, query }),
  )
  app.get(
    '/throws/:kind',
    { schema: { operationId: 'throws', params: Type.Object({ kind: Type.String() }) } },
    async ({ params }) => {
      if (params.kind === 'caller') throw fail('VID_TEST_CALLER', { field: 'variables.title' })
      if (params.kind === 'machine') throw fail('VID_TEST_MACHINE', {})
      throw new Error('secret of /srv/secret')
    },
  )
}

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/echo`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

test('a valid request id is taken and sent back, and any other is replaced', async () => {
  const { url } = await startServer({}, addEcho)
  const ids = []
  for (const id of ['job_1.a:b-c', 'a'.repeat(128), 'a'.repeat(129), 'has space', 'größe'.normalize('NFC')])
    ids.push((await post(url, '{}', { 'x-request-id': id })).headers.get('x-request-id'))
  expect(ids.slice(0, 2)).toEqual(['job_1.a:b-c', 'a'.repeat(128)])
  for (const id of ids.slice(2)) expect(id).toMatch(/^[0-9a-f-]{36}$/)
})

test('a refused value is named by its field, with the words that the command uses', async () => {
  const { url } = await startServer({}, addEcho)
  const response = await post(url, '{"fps":"fast"}', { 'x-request-id': 'r1' })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    success: false,
    requestId: 'r1',
    error: {
      code: 'VID_HTTP_INVALID',
      message: 'The request\'s body is wrong: fps must be number; got "fast".',
      field: 'fps',
      hint: expect.stringContaining('/openapi.json'),
      fault: 'caller',
    },
  })
  const extra = (await (await post(url, '{"size":1}')).json()) as ReplyBody
  expect(extra.error.field).toBe('size')
})

test('numbers of the query are read as numbers', async () => {
  const { url } = await startServer({}, addEcho)
  const response = await fetch(`${url}/echo?limit=3`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  expect(await response.json()).toEqual({ body: {}, query: { limit: 3 } })
  const wrong = await fetch(`${url}/echo?limit=many`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  expect(await refusal(wrong)).toEqual([400, 'VID_HTTP_INVALID'])
})

test.each([
  ['{"fps":', 400, 'VID_HTTP_BODY_JSON'],
  ['', 400, 'VID_HTTP_BODY_JSON'],
  ['{"__proto__":{"fps":1}}', 400, 'VID_HTTP_BODY_JSON'],
  ['{"constructor":{"prototype":{"fps":1}}}', 400, 'VID_HTTP_BODY_JSON'],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400, 'VID_HTTP_BODY_JSON'],
  [`{"fps":[${'0,'.repeat(50_000)}0]}`, 400, 'VID_HTTP_BODY_JSON'],
  [JSON.stringify({ fps: 'x'.repeat(1024 ** 2) }), 413, 'VID_HTTP_BODY_TOO_LARGE'],
])('a body of %.30s is refused', async (body, status, code) => {
  const { url } = await startServer({}, addEcho)
  expect(await refusal(await post(url, body))).toEqual([status, code])
})

test('a body that is not UTF-8 is refused, and one that mentions brackets in a text is not', async () => {
  const { url } = await startServer({ limits: { bodyBytes: 10_000 } }, addEcho)
  const headers = { 'content-type': 'application/json' }
  const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
  const response = await fetch(`${url}/echo`, { method: 'POST', body: bytes, headers })
  expect(await refusal(response)).toEqual([400, 'VID_HTTP_BODY_JSON'])
  const brackets = await post(url, JSON.stringify({ fps: `\\"${'['.repeat(500)}` }))
  expect(await refusal(brackets)).toEqual([400, 'VID_HTTP_INVALID'])
})

test.each([
  [{ 'content-type': 'text/plain' }, 'VID_HTTP_MEDIA_TYPE'],
  [{ 'content-type': 'application/x-www-form-urlencoded' }, 'VID_HTTP_MEDIA_TYPE'],
  [{ 'content-encoding': 'gzip' }, 'VID_HTTP_MEDIA_TYPE'],
])('a body sent with %o is refused as another type', async (headers, code) => {
  const { url } = await startServer({}, addEcho)
  expect(await refusal(await post(url, '{}', headers))).toEqual([415, code])
})

test('an unknown address, a wrong method and a malformed address have codes of their own', async () => {
  const { url } = await startServer({}, addEcho)
  expect(await refusal(await fetch(`${url}/nothing`))).toEqual([404, 'VID_HTTP_NOT_FOUND'])
  const wrong = await fetch(`${url}/echo`)
  expect(wrong.headers.get('allow')).toBe('POST')
  expect(await refusal(wrong)).toEqual([405, 'VID_HTTP_METHOD'])
  const malformed = await fetch(`${url}/throws/%zz`)
  expect(malformed.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(await refusal(malformed)).toEqual([400, 'VID_HTTP_ADDRESS'])
  expect(await refusal(await fetch(`${url}/throws/${'a'.repeat(300)}`))).toEqual([400, 'VID_HTTP_ADDRESS'])
})

test('replies say what a caller can correct, and nothing of the machine; the log has it under the same id', async () => {
  const { url, log } = await startServer({}, addEcho)
  const ask = async (kind: string) => {
    const response = await fetch(`${url}/throws/${kind}`, { headers: { 'x-request-id': kind } })
    return [response.status, ((await response.json()) as ReplyBody).error] as const
  }
  expect(await ask('caller')).toEqual([
    400,
    {
      code: 'VID_TEST_CALLER',
      message: 'variables.title is wrong in …/index.html',
      field: 'variables.title',
      hint: 'correct it',
      fault: 'caller',
    },
  ])
  const machine = await ask('machine')
  const other = await ask('other')
  expect([machine[0], machine[1].code, other[0], other[1].code]).toEqual([
    503,
    'VID_TEST_MACHINE',
    500,
    'VID_HTTP_FAILED',
  ])
  expect(JSON.stringify([machine, other])).not.toContain('/srv')
  const entry = log.map((line) => JSON.parse(line)).find(({ requestId, err }) => requestId === 'other' && err)
  expect(entry.err.stack).toContain('secret of /srv/secret')
})

test('a server words errors in its own envelope', async () => {
  const envelope = ({ code, message }: { code: string; message: string }) => ({ error: { code, message } })
  const { port, url } = await startServer({ errors: { envelope, statuses: { VID_HTTP_INVALID: 422 } } }, addEcho)
  const response = await post(url, '[]')
  expect(response.status).toBe(422)
  expect(Object.keys((await response.json()) as object)).toEqual(['error'])
  const bare = readReply(await rawExchange(port, 'nonsense\r\n\r\n'))
  expect(Object.keys(bare.body)).toEqual(['error'])
})

test.each([
  ['nonsense\r\n\r\n', 400, 'VID_HTTP_MALFORMED'],
  ['GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n', 400, 'VID_HTTP_MALFORMED'],
  [
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'VID_HTTP_MALFORMED',
  ],
  ['POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n', 400, 'VID_HTTP_MALFORMED'],
  [`GET / HTTP/1.1\r\nHost: localhost\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'VID_HTTP_HEADERS_TOO_LARGE'],
  ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 421, 'VID_HTTP_HOST'],
  ['GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 421, 'VID_HTTP_HOST'],
  ['GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n', 421, 'VID_HTTP_HOST'],
  ['GET / HTTP/1.1\r\nHost: localhost\r\nExpect: magic\r\nConnection: close\r\n\r\n', 417, 'VID_HTTP_EXPECTATION'],
])('%.60s is answered in JSON', async (requestText, status, code) => {
  const { port } = await startServer({}, addEcho)
  const reply = readReply(await rawExchange(port, requestText))
  expect([reply.status, reply.body.error.code]).toEqual([status, code])
  expect(reply.body.requestId).toBe(reply.headers.get('x-request-id'))
})

test('what is no HTTP is not taken for the reply to a request before it on the connection', async () => {
  const { port } = await startServer({}, addEcho)
  const received = await rawExchange(port, 'GET /throws/a HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n')
  expect(received).not.toContain('VID_HTTP_MALFORMED')
})

test('an error of a library that has a status is none of the client', async () => {
  const { url } = await startServer({}, (app) => {
    app.get('/fetches', { schema: { operationId: 'fetches' } }, async () => {
      throw Object.assign(new Error('elsewhere'), { statusCode: 404, code: 'UND_ERR_RESPONSE' })
    })
  })
  expect(await refusal(await fetch(`${url}/fetches`))).toEqual([500, 'VID_HTTP_FAILED'])
})

const QUICK = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 }

test('headers that never end and a body that never comes end by the time limits', async () => {
  const { port } = await startServer({ limits: QUICK }, addEcho)
  const head = 'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  for (const requestText of [head, `${head}Content-Length: 10\r\n\r\n{`]) {
    const reply = readReply(await rawExchange(port, requestText))
    expect([reply.status, reply.body.error.code]).toEqual([408, 'VID_HTTP_TIMEOUT'])
  }
})

test('a body that drips in is cut off by the limit of the whole request', async () => {
  const { port } = await startServer({ limits: QUICK }, addEcho)
  const socket = createConnection(port, '127.0.0.1')
  socket.write(
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n',
  )
  const drip = setInterval(() => socket.write(' '), 5)
  socket.on('error', () => {})
  const received = await new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
  })
  clearInterval(drip)
  expect(readReply(received).body.error.code).toBe('VID_HTTP_TIMEOUT')
})

test('a client that announces 10 GB is refused before it sends them', async () => {
  const { port } = await startServer({}, addEcho)
  const head =
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000000000\r\n'
  for (const requestText of [`${head}\r\n`, `${head}Expect: 100-continue\r\n\r\n`]) {
    const reply = readReply(await rawExchange(port, requestText))
    expect([reply.status, reply.body.error.code]).toEqual([413, 'VID_HTTP_BODY_TOO_LARGE'])
    expect(reply.headers.get('connection')).toBe('close')
  }
})

test('a client that goes on sending reads the refusal, and is then cut off', async () => {
  const { port } = await startServer({}, addEcho)
  const socket = createConnection(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000000000\r\n\r\n',
  )
  const block = Buffer.alloc(64 * 1024)
  const write = () => {
    while (socket.writable && socket.write(block));
  }
  socket.on('drain', write)
  write()
  const received = await new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
  })
  expect(readReply(received).body.error.code).toBe('VID_HTTP_BODY_TOO_LARGE')
  expect(socket.bytesWritten).toBeLessThan(100 * 1024 ** 2)
})

test('a client that sends all of a body that is too large before it reads gets its refusal', async () => {
  const { port } = await startServer({}, addEcho)
  const socket = createConnection(port, '127.0.0.1')
  const bytes = 12 * 1024 ** 2
  const head = 'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json'
  socket.write(`${head}\r\nContent-Length: ${bytes}\r\n\r\n`)
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(Buffer.alloc(bytes, ' '), () => resolve())
  })
  const received = await new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
  })
  expect(readReply(received).body.error.code).toBe('VID_HTTP_BODY_TOO_LARGE')
})

test('a client that waits for 100 Continue is asked for its body once the request has passed', async () => {
  const { port } = await startServer({}, addEcho)
  const socket = createConnection(port, '127.0.0.1')
  socket.setEncoding('utf8')
  let received = ''
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('data', (text) => {
    received += text
    if (received.endsWith('100 Continue\r\n\r\n')) socket.write('{}')
  })
  socket.write(
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
  )
  await closed
  expect(received).toContain('HTTP/1.1 100 Continue')
  expect(received).toContain('HTTP/1.1 200 OK')
})

test('the log has one line for a request, without the address and the token', async () => {
  const token = 'token-of-sixteen-characters'
  const { url, log, drain } = await startServer({ tokens: [token] }, addEcho)
  await (
    await fetch(`${url}/throws/secret-in-path?key=secret`, { headers: { authorization: `Bearer ${token}` } })
  ).text()
  await drain(5_000)
  const lines = log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  expect(lines).toEqual([
    expect.objectContaining({
      method: 'GET',
      route: '/throws/:kind',
      status: 500,
      code: 'VID_HTTP_FAILED',
      requestId: expect.any(String),
      ms: expect.any(Number),
    }),
  ])
  expect(log.join('')).not.toContain('secret-in-path')
  expect(log.join('')).not.toContain(token)
})
