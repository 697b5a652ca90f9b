import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { scratchFolder, speakerSuite, wavOf } from '@vid/testkit'
import { afterAll, beforeEach, expect, test } from 'vitest'
import speaker from './index.ts'

const TOKEN = 'a-token-of-some-length'
const sound = wavOf(() => 0.3, { seconds: 0.5 })

/** A call that the service has received. */
interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

const received: Received[] = []

/** Times of the characters of a text, a tenth of a second each. */
const alignmentOf = (text: string) => ({
  characters: [...text],
  character_start_times_seconds: [...text].map((_, index) => index / 10),
  character_end_times_seconds: [...text].map((_, index) => (index + 1) / 10),
})

const json = (reply: ServerResponse, value: unknown) =>
  reply.setHeader('content-type', 'application/json').end(JSON.stringify(value))

/** What the service does at each path. */
const answers: Readonly<Record<string, (reply: ServerResponse, text: string) => void>> = {
  '/timed': (reply, text) => {
    json(reply, { audio_base64: Buffer.from(sound).toString('base64'), alignment: alignmentOf(text) })
  },
  '/sound': (reply) => void reply.setHeader('content-type', 'audio/wav').end(sound),
  '/no-json': (reply) => void reply.setHeader('content-type', 'application/json').end('{"audio'),
  '/other-json': (reply) => void json(reply, { ok: true }),
  '/refuses': (reply) => void reply.writeHead(403).end(`no voice for ${TOKEN}`),
  '/moved': (reply) => void reply.writeHead(302, { location: '/sound' }).end(),
  '/cut': (reply) => {
    reply.writeHead(200, { 'content-type': 'audio/wav', 'content-length': '99999' }).write('RIFF')
    reply.destroy()
  },
  '/endless': () => {},
}

const serve = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const body = JSON.parse(text)
  received.push({ headers: request.headers, body })
  answers[request.url ?? '']?.(reply, body.text ?? body.input)
}
// A client may leave while it sends.
const server = createServer((request, reply) => void serve(request, reply).catch(() => request.destroy()))
await once(server.listen(0, '127.0.0.1'), 'listening')
const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
beforeEach(() => {
  received.length = 0
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

speakerSuite(speaker, {
  options: { url: urlOf('/timed'), token: TOKEN },
  broken: {
    'no server': { url: 'http://127.0.0.1:9/v1' },
    'http to another machine': { url: 'http://speech.example.com/v1' },
    'a reply that is not JSON': { url: urlOf('/no-json') },
    'a reply without sound': { url: urlOf('/other-json') },
    'a refusal': { url: urlOf('/refuses') },
    'a redirect': { url: urlOf('/moved') },
    'a broken connection': { url: urlOf('/cut') },
    'a time limit': { url: urlOf('/endless'), timeoutMs: 300 },
  },
  secrets: [TOKEN],
  endless: async () => ({ options: { url: urlOf('/endless') }, reached: once(server, 'request') }),
})

const speak = async (text: string, options: Parameters<typeof speaker>[0]) => {
  const plugin = speaker(options)
  const path = join(await scratchFolder(), 'speech.wav')
  const context = { options: plugin.options, signal: new AbortController().signal, workDir: await scratchFolder() }
  return { spoken: await plugin.speak({ text, path }, context), sound: await readFile(path) }
}

test('times of characters become words', async () => {
  const { spoken, sound: written } = await speak('Hi you', { url: urlOf('/timed') })
  expect(spoken).toEqual({
    words: [
      { text: 'Hi', start: 0, end: 0.2 },
      { text: 'you', start: 0.3, end: 0.6 },
    ],
  })
  expect(written.equals(sound)).toBe(true)
})

test('a sound alone is written as it comes, and the body is that of the option', async () => {
  const body = { model: 'tts-1', input: '{text}', voice: { name: 'alloy', languages: ['{language}'] }, speed: 1 }
  const { spoken, sound: written } = await speak('Say "{language}"', {
    url: urlOf('/sound'),
    body,
    language: 'en',
    token: TOKEN,
  })
  expect([spoken, written.equals(sound)]).toEqual([{}, true])
  const [{ headers, body: sent }] = received as [Received]
  expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' })
  expect(sent).toEqual({ ...body, input: 'Say "{language}"', voice: { name: 'alloy', languages: ['en'] } })
})
