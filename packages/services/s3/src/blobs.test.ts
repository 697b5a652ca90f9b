import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Warning } from '@vid/protocol'
import { listBlobs } from '@vid/testkit'
import { describe, expect, test } from 'vitest'
import { cutBody, failing, silence, slowBody, stalledBody, status } from './fixtures/faults.ts'
import type { Fault, Seen } from './fixtures/s3-server.ts'
import { fileOf, newFolder, openLoopback, servers } from './fixtures/servers.ts'
import { type BlobOptions, clearBlobs, type S3Bucket, s3Blobs } from './index.ts'

const DAY_MS = 24 * 3600 * 1000
const never = new AbortController().signal
const blobsIn = ({ signal = never, ...place }: S3Bucket & { readonly prefix?: string }, options: BlobOptions = {}) =>
  s3Blobs({ prefix: 'team/segments/', ...place, signal }, options)

/** Blobs on the strict server, its objects, its requests so far, and the warnings. */
const openStrict = async (fault?: Fault, blobMs?: number, signal = never) => {
  const server = await openLoopback(fault)
  const warnings: Warning[] = []
  const options = { blobMs, warn: (warning: Warning) => warnings.push(warning) }
  const blobs = blobsIn({ ...server.place, signal }, options)
  const requests = () => server.seen.splice(0).map(({ method }) => method)
  const age = (key: string, ms: number) => {
    const object = server.objects.get(`team/segments/${key}`)
    if (!object) throw new Error(`no object ${key}`)
    server.objects.set(`team/segments/${key}`, { ...object, writtenMs: Date.now() - ms })
  }
  const ageOf = (key: string) => Date.now() - (server.objects.get(`team/segments/${key}`)?.writtenMs ?? Number.NaN)
  return { ...server, blobs, requests, warnings, age, ageOf }
}

describe.each(Object.keys(servers))('blobs on %s', (kind) => {
  const open = () => (servers[kind] as () => Promise<S3Bucket>)()

  test('are kept below the prefix, and cleaning removes what segments are kept under and nothing else', async () => {
    const place = await open()
    const blobs = blobsIn(place)
    const others = blobsIn({ ...place, prefix: 'team/' })
    await blobs.write('contents/a', 'text')
    await blobs.put('segments/b/c', await fileOf('file'))
    await blobs.write('notes', 'mine')
    await others.write('contents/d', 'of others')
    const clear = () => clearBlobs({ ...place, prefix: 'team/segments/', signal: never })
    expect(await clear()).toBe(8)
    expect((await listBlobs(others, '')).map(({ key }) => key).sort()).toEqual(['contents/d', 'segments/notes'])
    expect(await clear()).toBe(0)
  })

  test('are told as missing once another removed them', async () => {
    const place = await open()
    const one = blobsIn(place)
    const other = blobsIn(place)
    await one.write('contents/a', 'text')
    await other.remove(['contents/a'])
    expect(await one.get('contents/a', join(await newFolder(), 'copy'))).toBe(false)
    expect(await one.read('contents/a')).toBeUndefined()
    await one.touch(['contents/a'])
    expect(await listBlobs(one, '')).toEqual([])
  })
})

test('a blob that is used is refreshed once it is older than a day, and stays the same', async () => {
  const { blobs, age, ageOf, requests } = await openStrict()
  await blobs.write('segments/a', 'text')
  for (const [ms, isRefreshed] of [
    [DAY_MS - 60_000, false],
    [DAY_MS + 60_000, true],
  ] as const) {
    age('segments/a', ms)
    await listBlobs(blobs, 'segments/')
    requests()
    await blobs.touch(['segments/a'])
    expect(requests()).toEqual(isRefreshed ? ['PUT'] : [])
    expect(ageOf('segments/a') < 60_000).toBe(isRefreshed)
  }
  expect(await blobs.read('segments/a')).toBe('text')
})

test('the age of a blob is known from reading it, and otherwise asked for', async () => {
  const { blobs, age, requests, ageOf, place } = await openStrict()
  await blobs.write('contents/a', 'text')
  await blobs.write('contents/b', 'text')
  age('contents/a', 3 * DAY_MS)
  age('contents/b', 3 * DAY_MS)
  const later = blobsIn(place)
  await later.get('contents/a', join(await newFolder(), 'copy'))
  requests()
  await later.touch(['contents/a', 'contents/b', 'contents/gone'])
  expect(requests().sort()).toEqual(['HEAD', 'HEAD', 'PUT', 'PUT'])
  expect([ageOf('contents/a'), ageOf('contents/b')].every((ms) => ms < 60_000)).toBe(true)
})

test('blobs that may not be refreshed are used all the same, and one warning says so', async () => {
  const { blobs, age, warnings } = await openStrict((seen, reply, request) =>
    request.headers['x-amz-copy-source'] ? status(403, 'AccessDenied')(seen, reply, request) : false,
  )
  for (const key of ['contents/a', 'contents/b']) {
    await blobs.write(key, 'text')
    age(key, 2 * DAY_MS)
  }
  await listBlobs(blobs, '')
  await blobs.touch(['contents/a'])
  await blobs.touch(['contents/b'])
  expect(await blobs.read('contents/a')).toBe('text')
  expect(warnings).toMatchObject([
    { code: 'VID_S3_NOT_REFRESHED', message: expect.stringContaining('s3://videos/team/segments/') },
  ])
})

test('a list has all blobs of its prefix, also over its pages, and asks for no page that nobody reads', async () => {
  const { blobs, objects, requests } = await openStrict()
  for (let index = 0; index < 2100; index += 1)
    objects.set(`team/segments/many/${index}`, { body: Buffer.of(), type: undefined, writtenMs: index })
  expect(await listBlobs(blobs, 'many/')).toHaveLength(2100)
  expect(requests()).toHaveLength(3)
  for await (const { key } of blobs.list('many/')) {
    expect(key).toBe('many/0')
    break
  }
  expect(requests()).toHaveLength(1)
})

test('an object below the prefix whose name is no key is not listed', async () => {
  const { blobs, objects } = await openStrict()
  for (const name of ['', '.hidden', 'a b', 'x/../y', 'segments/a'])
    objects.set(`team/segments/${name}`, { body: Buffer.of(), type: undefined, writtenMs: 0 })
  expect((await listBlobs(blobs, '')).map(({ key }) => key)).toEqual(['segments/a'])
})

test.each(['../a', '/a', 'a//b', '.a', 'a/../b', '', 'a/', 'ü'])('the key "%s" is refused', async (key) => {
  const { blobs, seen } = await openStrict()
  const path = await fileOf('x')
  const error = { code: 'VID_S3_BLOB' }
  await expect(blobs.put(key, path)).rejects.toMatchObject(error)
  await expect(blobs.get(key, `${path}-copy`)).rejects.toMatchObject(error)
  await expect(blobs.read(key)).rejects.toMatchObject(error)
  await expect(blobs.write(key, '')).rejects.toMatchObject(error)
  await expect(blobs.remove([key])).rejects.toMatchObject(error)
  expect(seen).toEqual([])
})

test.each([
  ['never answers', silence],
  ['stalls', stalledBody(10)],
  ['is very slow', slowBody(10)],
])('a server that %s fails after the time for one blob', async (_, how) => {
  const isGet = ({ method }: Seen) => method === 'GET'
  const { blobs } = await openStrict(failing(999, isGet, how).fault, 400)
  await blobs.write('contents/a', 'x'.repeat(10_000))
  await expect(blobs.read('contents/a')).rejects.toMatchObject({
    code: 'VID_S3_FAILED',
    message: expect.stringContaining('longer than 0.4 s'),
  })
})

test('a blob that arrives in pieces is whole', async () => {
  const isGet = ({ method }: Seen) => method === 'GET'
  const { blobs } = await openStrict(failing(5, isGet, cutBody(100_000)).fault)
  const content = randomBytes(2 ** 20)
  await blobs.put('contents/a', await fileOf(content))
  const path = join(await newFolder(), 'copy')
  expect(await blobs.get('contents/a', path)).toBe(true)
  expect((await readFile(path)).equals(content)).toBe(true)
})

test('work that is stopped rejects with the reason, and not as a failure of the server', async () => {
  const stop = new AbortController()
  const { blobs } = await openStrict(failing(999, ({ method }) => method === 'GET', silence).fault, 60_000, stop.signal)
  const reading = blobs.read('contents/a')
  stop.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
  await expect(blobs.touch(['contents/a'])).rejects.toThrow('enough')
})
