import { isVidError } from '@vid/protocol'
import { expect, test } from 'vitest'
import { createProducerClient } from './client.ts'
import { type Answer, accept, complete, json, refuse, startScripted, stream } from './fixtures/scripted.ts'

const TOKEN = 'secret-token-of-the-server'

const rejection = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => ({ code: 'resolved' }),
    (error: unknown) => error,
  )
  return thrown as Error & { code: string; fault: string; hint: string }
}

/** Writes without an end, as far as the client reads. */
const endless =
  (type: string, chunk: string): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': type })
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', write)
    write()
  }

const nothing = 'x'.repeat(2 ** 16)
const redirect: Answer = (_request, response) => {
  response.writeHead(307, { location: 'https://elsewhere.example/' })
  response.end()
}

test.each<readonly [string, Answer]>([
  ['an event without an end', endless('text/event-stream', `data: ${nothing}`)],
  ['an event of another type', stream([{ type: 'surprise' }])],
  ['an event of wrong values', stream([{ type: 'queued', position: -1 }])],
  ['an event about another request', stream([{ type: 'cancelled', requestId: 'another' }])],
  [
    'an event that is no JSON',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('data: {"type"\n\n')
    },
  ],
  ['a page in place of events', endless('text/html', nothing)],
  ['a result without a size', stream([complete({ fileSize: 'large' })])],
  ['an error whose code is none', stream([{ type: 'error', error: { code: '\u001b[2J', message: 'x' } }])],
  ['a redirect', redirect],
])('%s is refused as no reply of a render server', async (_name, answer) => {
  const { client, requestLines } = await startScripted({ 'POST /render': accept, 'GET /render': answer })
  const error = await rejection(client.render({ html: '<p>' }))
  expect([error.code, error.fault], error.message).toEqual(['VID_PRODUCER_REPLY', 'machine'])
  expect(error.message.length).toBeLessThan(1000)
  // What may run on there is cancelled.
  expect(requestLines.at(-1)).toContain('DELETE')
})

test.each<readonly [string, Answer]>([
  ['an endless reply', endless('application/json', nothing)],
  ['a reply that is no JSON', (_request, response) => void response.end('<html>')],
  ['a reply of other types', json({ maxConcurrentRenders: '2' })],
  ['a redirect', redirect],
])('%s to a question is refused', async (_name, answer) => {
  const { client } = await startScripted({ 'GET /render/queue': answer })
  expect(await rejection(client.queue())).toMatchObject({ code: 'VID_PRODUCER_REPLY', fault: 'machine' })
})

test('the token goes to the server alone, and into no error', async () => {
  const authorizations: (string | undefined)[] = []
  const { client, url } = await startScripted(
    {
      'GET /render': (request, response) => {
        authorizations.push(request.headers.authorization)
        refuse(400, 'VID_ANY', {}, `echo ${String(request.headers.authorization)}`)(request, response)
      },
    },
    { token: TOKEN },
  )
  const error = await rejection(client.get('r'))
  expect(authorizations).toEqual([`Bearer ${TOKEN}`])
  expect([error.message, error.hint, error.stack, JSON.stringify(error)].join()).not.toContain(TOKEN)
  const odd = () => createProducerClient({ url, token: `${TOKEN}\n` })
  expect(odd).toThrow(expect.objectContaining({ code: 'VID_PRODUCER_TOKEN_UNFIT' }))
  expect(odd).not.toThrow(TOKEN)
})

test.each([
  ['http://render.example.com', {}, 'https'],
  ['http://127.example.com', {}, 'https'],
  ['http://10.0.0.1:9847', {}, 'https'],
  ['ftp://render.example.com', {}, 'neither'],
  ['render.example.com', {}, 'not a URL'],
  ['https://user:secret@render.example.com', {}, 'password'],
  ['https://render.example.com/?token=secret', {}, '?'],
])('the address %s is refused', (url, options, problem) => {
  const make = () => createProducerClient({ url, ...options })
  expect(make).toThrow(expect.objectContaining({ code: 'VID_PRODUCER_ADDRESS', fault: 'caller' }))
  expect(make).toThrow(problem)
  expect(make).not.toThrow('secret')
})

test.each(['http://localhost:1', 'http://127.9.9.9', 'http://[::1]:1', 'http://x.localhost', 'https://a.example/vid/'])(
  'the address %s is taken',
  (url) => expect(() => createProducerClient({ url })).not.toThrow(),
)

test('http to another machine is taken when it is allowed', () =>
  expect(() => createProducerClient({ url: 'http://10.0.0.1', insecure: true })).not.toThrow())

test('a server that is not there, and one that never answers, are faults of the machine', async () => {
  const away = createProducerClient({ url: 'http://127.0.0.1:1', limits: { awayMs: 300 } })
  expect(await rejection(away.queue())).toMatchObject({ code: 'VID_PRODUCER_UNREACHABLE', fault: 'machine' })
  await away.close()
  const { client } = await startScripted({ 'GET /render': () => {} }, { limits: { replyMs: 200, awayMs: 300 } })
  const error = await rejection(client.queue())
  expect(isVidError(error) && [error.code, error.fault]).toEqual(['VID_PRODUCER_CUT', 'machine'])
})
