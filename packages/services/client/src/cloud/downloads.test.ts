import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readManifest, writeProjectZip } from '@vid/project'
import { expect, onTestFinished, test } from 'vitest'
import { type CloudAnswer, inTurn, noise, refuse } from '../fixtures/answers.ts'
import { type CloudScript, startCloudServer } from '../fixtures/cloud-server.ts'
import { createCloudClient } from '../index.ts'

const video = noise(400_000)
const project = { type: 'asset_id', asset_id: 'asset_1' } as const

const redirectTo =
  (address: string): CloudAnswer =>
  (_asked, response) => {
    response.writeHead(307, { location: address })
    response.end()
  }

/** Has the video of a completed render fetched, with the record changed. */
const fetchVideo = async (script: CloudScript = {}, change: object = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'cloud-download-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const server = await startCloudServer({ video, ...script })
  const client = createCloudClient({
    url: server.url,
    credential: { apiKey: 'key-of-ann' },
    limits: { awayMs: 1500, idleMs: 2000 },
  })
  onTestFinished(() => client.close())
  const { render_id } = await client.submit({ project })
  const record = { ...(await client.get(render_id)), ...change }
  const path = join(folder, 'video.mp4')
  const progress: number[] = []
  const thrown = await client
    .download(record, path, { onProgress: (bytes) => progress.push(bytes) })
    .catch((error: unknown) => error)
  const names = await readdir(folder)
  return { server, thrown: thrown as { code?: string; message: string } | undefined, names, path, progress }
}

/** Sends so many bytes of what is asked for, and breaks off. */
const cutAfter =
  (bytes: number): CloudAnswer =>
  ({ headers }, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    response.writeHead(headers.range ? 206 : 200, {
      'content-length': video.length - start,
      etag: '"the-video"',
      ...(headers.range && { 'content-range': `bytes ${start}-${video.length - 1}/${video.length}` }),
    })
    response.write(video.subarray(start, start + bytes), () => response.socket?.end())
  }

test('a video arrives whole through cuts, and no credential goes to its signed address', async () => {
  const answers = { 'GET /v3/files': inTurn(cutAfter(100_000), cutAfter(100_000)) }
  const { server, thrown, names, path, progress } = await fetchVideo({ answers })
  expect([thrown, names]).toEqual([undefined, ['video.mp4']])
  expect((await readFile(path)).equals(video)).toBe(true)
  expect(progress.at(-1)).toBe(video.length)
  const fetched = server.requests.filter(({ line }) => line.startsWith('GET /v3/files'))
  expect(fetched.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=100000-', 'bytes=200000-'])
  expect(fetched.map(({ headers }) => headers['if-range'])).toEqual([undefined, '"the-video"', '"the-video"'])
  for (const { headers } of fetched) {
    expect(headers).not.toHaveProperty('x-api-key')
    expect(headers).not.toHaveProperty('authorization')
  }
})

test('a signed address that has expired is replaced by a fresh one', async () => {
  const answers = { 'GET /v3/files': inTurn(refuse(403, 'forbidden')) }
  const { server, thrown, names } = await fetchVideo({ answers })
  expect([thrown, names]).toEqual([undefined, ['video.mp4']])
  expect(server.lines('GET /v3/files')).toEqual([1, 2].map((n) => `GET /v3/files/video?signature=${n}`))
})

test.each<readonly [string, CloudScript, object, string]>([
  ['another video than the record says', {}, { sha256: 'a'.repeat(64) }, 'VID_API_DAMAGED'],
  ['a longer file', {}, { size_bytes: 10 }, 'VID_API_REPLY'],
  ['a redirect', { answers: { 'GET /v3/files': () => redirectTo('http://127.0.0.1:1/') } }, {}, 'VID_API_REPLY'],
  ['an address without https', {}, { video_url: 'http://files.example.com/v' }, 'VID_API_ADDRESS'],
  ['an address of a file', {}, { video_url: 'file:///etc/passwd' }, 'VID_API_ADDRESS'],
  ['no address', {}, { video_url: null }, 'VID_API_REPLY'],
  ['a render that has not completed', {}, { status: 'rendering' }, 'VID_API_NOT_COMPLETED'],
])('%s is refused, and nothing is left', async (_name, script, change, code) => {
  const { thrown, names } = await fetchVideo(script, change)
  expect([thrown?.code, names], thrown?.message).toEqual([code, []])
})

test('an API that redirects is refused, and the credential goes nowhere else', async () => {
  const other = await startCloudServer()
  const server = await startCloudServer({
    answers: { 'GET /v3/users': () => redirectTo(`${other.url}/v3/users/me`) },
  })
  const client = createCloudClient({ url: server.url, credential: { apiKey: 'key-of-ann' } })
  onTestFinished(() => client.close())
  await expect(client.me()).rejects.toMatchObject({ code: 'VID_API_REPLY' })
  expect(other.requests).toEqual([])
})

test('an API without https on another machine is refused', () => {
  const make = () => createCloudClient({ url: 'http://api.example.com', credential: { apiKey: 'k' } })
  expect(make).toThrow(expect.objectContaining({ code: 'VID_API_ADDRESS' }))
})

const stream = { 'index.m3u8': '#EXTM3U\n', '360p-00000.m4s': 'a part' }

/** The zip of a folder for streaming. */
const zipOf = async (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'cloud-zip-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const content = join(folder, 'video')
  await mkdir(content)
  for (const [name, text] of Object.entries(files)) await writeFile(join(content, name), text)
  await writeProjectZip(content, await readManifest(content), join(folder, 'video.zip'))
  return readFile(join(folder, 'video.zip'))
}

test('a video that is a folder is there as a folder, once all of it has arrived', async () => {
  const { thrown, names, path } = await fetchVideo({ video: await zipOf(stream) }, { format: 'hls' })
  expect([thrown, names]).toEqual([undefined, ['video.mp4']])
  expect((await readdir(path)).sort()).toEqual(Object.keys(stream).sort())
  expect(await readFile(join(path, '360p-00000.m4s'), 'utf8')).toBe('a part')
})

test.each([
  ['leads elsewhere', '../../0000.m4s', 'cannot be unpacked'],
  ['is no zip', undefined, 'cannot be unpacked'],
])('a folder whose zip %s is refused, and nothing is left', async (_, name, problem) => {
  const zip = await zipOf(stream)
  // Names of the same length, in both places of the zip.
  const bytes =
    name === undefined ? video : Buffer.from(zip.toString('latin1').replaceAll('360p-00000.m4s', name), 'latin1')
  const { thrown, names } = await fetchVideo({ video: bytes }, { format: 'hls' })
  expect([thrown?.code, names]).toEqual(['VID_API_REPLY', []])
  expect(thrown?.message).toContain(problem)
})
