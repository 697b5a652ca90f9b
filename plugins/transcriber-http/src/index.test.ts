import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { scratchFolder, transcriberSuite, wavOf } from '@vid/testkit'
import { afterAll, beforeEach, expect, test } from 'vitest'
import transcriber from './index.ts'

const TOKEN = 'a-token-of-some-length'
const WORDS = [
  { word: 'Good', start: 0.5, end: 0.9 },
  { word: 'morning', start: 0.9, end: 1.4 },
]
const VERBOSE = { language: 'en', segments: [{ start: 0.5, end: 1.4, text: ' Good morning', words: WORDS }] }
const DEEPGRAM = {
  metadata: { request_id: 'x' },
  results: { channels: [{ alternatives: [{ transcript: 'Good morning', words: WORDS }] }] },
}

/** A call that the service has received. */
interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

const received: Received[] = []

/** What the service does at each path. */
const answers: Readonly<Record<string, (reply: ServerResponse) => void>> = {
  '/v1/audio/transcriptions': (reply) => void reply.end(JSON.stringify(VERBOSE)),
  '/v1/listen': (reply) => void reply.end(JSON.stringify(DEEPGRAM)),
  '/empty': (reply) => void reply.end(),
  '/text': (reply) => void reply.end('Good morning'),
  '/half': (reply) => void reply.end(JSON.stringify(VERBOSE).slice(0, -9)),
  '/refuses': (reply) => void reply.writeHead(401).end(`{"error":"the token ${TOKEN} is unknown"}`),
  '/fails': (reply) => void reply.writeHead(500).end(),
  '/moved': (reply) => void reply.writeHead(307, { location: '/v1/audio/transcriptions' }).end(),
  '/cut': (reply) => {
    reply.writeHead(200, { 'content-length': '1000' }).write('{"segm')
    reply.destroy()
  },
  '/large': (reply) => {
    const write = () => {
      while (!reply.destroyed && reply.write(' '.repeat(1 << 20)));
    }
    reply.on('drain', write).on('error', () => {})
    write()
  },
  '/drip': (reply) => {
    const timer = setInterval(() => reply.write(' '), 50)
    reply.on('close', () => clearInterval(timer))
  },
  '/endless': () => {},
}

const serve = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { pathname } = new URL(request.url ?? '/', 'http://service')
  received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
  answers[pathname]?.(reply)
}
// A client may leave while it sends.
const server = createServer((request, reply) => void serve(request, reply).catch(() => request.destroy()))
const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

await once(server.listen(0, '127.0.0.1'), 'listening')
beforeEach(() => {
  received.length = 0
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const whisper = { url: urlOf('/v1/audio/transcriptions'), token: TOKEN, fields: { model: 'whisper-1' } }

transcriberSuite(transcriber, {
  options: whisper,
  broken: {
    'no server': { url: 'http://127.0.0.1:9/v1' },
    'an address that is none': { url: 'speech' },
    'http to another machine': { url: 'http://speech.example.com/v1' },
    'a token that no header can contain': { token: 'two words' },
    'an empty reply': { url: urlOf('/empty') },
    'a reply that is no transcript': { url: urlOf('/text') },
    'a reply that is cut off': { url: urlOf('/half') },
    'a broken connection': { url: urlOf('/cut') },
    'more than 64 MiB': { url: urlOf('/large') },
    'a refusal': { url: urlOf('/refuses') },
    'a fault of the service': { url: urlOf('/fails') },
    'a redirect': { url: urlOf('/moved') },
    'a time limit without a reply': { url: urlOf('/endless'), timeoutMs: 300 },
    'a time limit of a reply that drips': { url: urlOf('/drip'), timeoutMs: 600 },
    'a sound that is too long': { maxUploadBytes: 1000 },
  },
  secrets: [TOKEN],
  endless: async () => ({ options: { url: urlOf('/endless') }, reached: once(server, 'request') }),
})

const transcribe = async (options: Parameters<typeof transcriber>[0], language?: string) => {
  const folder = await scratchFolder()
  const file = join(folder, 'sound.wav')
  const sound = wavOf(() => 0.5, { seconds: 2, rate: 16_000 })
  await writeFile(file, sound)
  const plugin = transcriber(options)
  const context = { options: plugin.options, signal: new AbortController().signal, workDir: folder }
  return { sound, transcript: await plugin.transcribe({ file, ...(language !== undefined && { language }) }, context) }
}

test('a form has the fields, the language and the sound, with the token in a header', async () => {
  const { sound, transcript } = await transcribe(whisper, 'de')
  expect(transcript).toMatchObject({ language: 'en', cues: [{ start: 0.5, end: 1.4, text: 'Good morning' }] })
  const [{ headers, body }] = received as [Received]
  expect(headers.authorization).toBe(`Bearer ${TOKEN}`)
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': String(headers['content-type']) },
  }).formData()
  expect([form.get('model'), form.get('language')]).toEqual(['whisper-1', 'de'])
  const file = form.get('file') as File
  expect([file.name, file.type]).toEqual(['sound.wav', 'audio/wav'])
  expect(Buffer.from(await file.arrayBuffer()).equals(sound)).toBe(true)
})

test('a sound can be sent alone, with the rest in the address and in a header of another name', async () => {
  const { sound, transcript } = await transcribe(
    {
      url: urlOf('/v1/listen'),
      body: 'sound',
      query: { model: 'nova-3' },
      token: TOKEN,
      tokenHeader: 'x-api-key',
      tokenPrefix: '',
    },
    'en',
  )
  expect(transcript.cues[0]?.words).toHaveLength(2)
  const [{ path, headers, body }] = received as [Received]
  expect(path).toBe('/v1/listen?model=nova-3&language=en')
  expect(headers).toMatchObject({ 'x-api-key': TOKEN, 'content-type': 'audio/wav' })
  expect(body.equals(sound)).toBe(true)
})

test('a redirect is not followed, so that no token travels', async () => {
  await expect(transcribe({ ...whisper, url: urlOf('/moved') })).rejects.toMatchObject({
    code: 'VID_SPEECH_SERVICE_REPLY',
    message: expect.stringContaining('redirects are not followed'),
  })
  expect(received.map(({ path }) => path)).toEqual(['/moved'])
})

test('a refusal has the words of the service without the token', async () => {
  const outcome = transcribe({ ...whisper, url: urlOf('/refuses') })
  await expect(outcome).rejects.toThrow('status 401: {"error":"the token … is unknown"}')
})
