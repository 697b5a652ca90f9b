import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { listBlobs } from '@vid/testkit'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Fault, keys, startS3 } from '../../../s3/src/fixtures/s3-server.ts'
import { openFolderStorage } from './folder-storage.ts'
import { openS3Storage } from './s3-storage.ts'
import { createSignedFiles, FILES_PATH } from './signed-files.ts'
import type { Storage } from './storage.ts'

const MIB = 2 ** 20

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-storage-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const openS3 = async (fault?: Fault) => {
  const server = await startS3(fault)
  vi.stubEnv('AWS_ACCESS_KEY_ID', keys.accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', keys.secretAccessKey)
  onTestFinished(() => void vi.unstubAllEnvs())
  const storage = await openS3Storage(`s3://videos/team/a?endpoint=${server.options.endpoint}`)
  onTestFinished(() => storage.close())
  return { ...server, storage }
}

interface Case {
  readonly storage: Storage
  /** What a client gets at an address, with the type and the disposition. */
  fetchAt(address: string): Promise<{ readonly found: boolean; readonly type: string; readonly name: string }>
  /** The clock of this process does not move its clock. */
  readonly hasOwnClock?: boolean
}

const fetchAt: Case['fetchAt'] = async (address) => {
  const reply = await fetch(address)
  await reply.body?.cancel()
  const name = /filename="(.*?)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1] ?? ''
  return { found: reply.ok, type: reply.headers.get('content-type') ?? '', name }
}

const { VID_S3_ENDPOINT: realServer, VID_S3_ACCESS_KEY = '', VID_S3_SECRET_KEY = '' } = process.env

/** A separate bucket on a real server, which packages/services/s3/lab/s3-server.mjs starts. */
const openReal = async (): Promise<Case> => {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
  const Bucket = `storage-${randomUUID()}`
  vi.stubEnv('AWS_ACCESS_KEY_ID', VID_S3_ACCESS_KEY)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', VID_S3_SECRET_KEY)
  onTestFinished(() => void vi.unstubAllEnvs())
  const client = new S3Client({ endpoint: realServer ?? '', forcePathStyle: true, region: 'us-east-1' })
  await client.send(new CreateBucketCommand({ Bucket })).finally(() => client.destroy())
  const storage = await openS3Storage(`s3://${Bucket}/team?endpoint=${realServer}`)
  onTestFinished(() => storage.close())
  // Its clock is its own: an address that has expired is tested with the others.
  return { storage, fetchAt, hasOwnClock: true }
}

const cases: Readonly<Record<string, () => Promise<Case>>> = {
  async folder() {
    const files = createSignedFiles('secret', () => 'https://api.example')
    return {
      storage: await openFolderStorage(await newFolder(), files),
      async fetchAt(address) {
        const { pathname, searchParams } = new URL(address)
        const key = pathname.slice(FILES_PATH.length + 1)
        const file = files.check(key, Object.fromEntries(searchParams), Date.now())
        return { found: file !== undefined, type: file?.type ?? '', name: file?.fileName ?? '' }
      },
    }
  },
  S3: async () => ({ storage: (await openS3()).storage, fetchAt }),
  ...(realServer && { 'a real S3 server': openReal }),
}

const fileOf = async (content: Buffer | string) => {
  const path = join(await newFolder(), 'made')
  await writeFile(path, content)
  return path
}

describe.each(Object.keys(cases))('a storage in %s', (kind) => {
  const open = () => (cases[kind] as () => Promise<Case>)()

  test.each([
    ['empty', 0],
    ['small', 1000],
    ['of several parts', 17 * MIB + 1],
  ])('keeps a file that is %s, and gives it back', async (_, bytes) => {
    const { storage } = await open()
    const content = randomBytes(bytes)
    await storage.put('renders/r1/video.mp4', await fileOf(content), { type: 'video/mp4' })
    expect(await storage.size('renders/r1/video.mp4')).toBe(bytes)
    const path = join(await newFolder(), 'copy')
    expect(await storage.get('renders/r1/video.mp4', path)).toBe(true)
    expect((await readFile(path)).equals(content)).toBe(true)
    const stream = await storage.open('renders/r1/video.mp4')
    expect(stream && (await buffer(stream)).equals(content)).toBe(true)
  })

  test('replaces an object, and keeps the new one only', async () => {
    const { storage } = await open()
    await storage.put('a', await fileOf('first'))
    await storage.put('a', await fileOf('second one'))
    const stream = await storage.open('a')
    expect(stream && (await text(stream))).toBe('second one')
  })

  test('says of what is missing that it is missing', async () => {
    const { storage } = await open()
    const folder = await newFolder()
    expect(await storage.get('a/b', join(folder, 'copy'))).toBe(false)
    expect(await readdir(folder)).toEqual([])
    expect(await storage.open('a/b')).toBeUndefined()
    expect(await storage.size('a/b')).toBeUndefined()
    await storage.remove(['a/b', 'c'])
    expect(await listBlobs(storage, 'a/')).toEqual([])
  })

  test('does not write over a file that is there', async () => {
    const { storage } = await open()
    await storage.put('a', await fileOf('stored'))
    const path = await fileOf('mine')
    await expect(storage.get('a', path)).rejects.toMatchObject({ code: 'VID_CLOUD_STORAGE' })
    expect(await readFile(path, 'utf8')).toBe('mine')
  })

  test('lists what begins with a prefix, and removes what it is told', async () => {
    const { storage } = await open()
    const names = ['r/1/a', 'r/1/b', 'r/1/c.d', 'r/1/e', 'r/1/f', 'r/1/g', 'r/1/h', 'r/2/a', 'r/10/a', 's/1']
    const before = Date.now() - 2000
    for (const name of names) await storage.put(name, await fileOf(name))
    const objects = await listBlobs(storage, 'r/1/')
    expect(objects.map(({ key, bytes }) => [key, bytes])).toEqual(names.slice(0, 7).map((name) => [name, name.length]))
    expect(objects.every(({ usedMs }) => usedMs > before && usedMs < Date.now() + 2000)).toBe(true)
    await storage.remove(names.slice(0, 9))
    expect((await listBlobs(storage, '')).map(({ key }) => key)).toEqual(['s/1'])
  })

  test('gives addresses with a type and a name that work until they expire', async () => {
    const { storage, fetchAt, hasOwnClock = false } = await open()
    await storage.put('r/video', await fileOf('video'))
    const options = { expiresMs: Date.now() + 60_000, type: 'video/mp4', fileName: 'my film.mp4' }
    const address = await storage.address('r/video', options)
    expect(await fetchAt(address)).toEqual({ found: true, type: 'video/mp4', name: 'my film.mp4' })
    const { fileName: _, ...unnamed } = options
    expect(await fetchAt(await storage.address('r/video', unnamed))).toMatchObject({ found: true, name: '' })
    const changed = new URL(address)
    for (const name of [...changed.searchParams.keys()].filter((parameter) => /type$/.test(parameter)))
      changed.searchParams.set(name, 'text/html')
    expect(await fetchAt(changed.href)).toMatchObject({ found: false })
    if (hasOwnClock) return
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    onTestFinished(() => void vi.useRealTimers())
    expect(await fetchAt(address)).toMatchObject({ found: false })
  })

  test('refuses names that leave it', async () => {
    const { storage } = await open()
    const path = await fileOf('x')
    for (const key of ['../a', '/a', 'a//b', '.a', 'a/../b', ''])
      await expect(storage.put(key, path), key).rejects.toThrow()
  })

  test('a source that cannot be read is an error, and leaves nothing', async () => {
    const { storage } = await open()
    const missing = join(await newFolder(), 'missing')
    await expect(storage.put('a', missing)).rejects.toMatchObject({ code: 'VID_CLOUD_STORAGE' })
    expect(await listBlobs(storage, '')).toEqual([])
  })
})

describe('a storage in S3', () => {
  test('keeps everything below the prefix of its address', async () => {
    const { storage, objects } = await openS3()
    await storage.put('a/b', await fileOf('x'))
    expect([...objects.keys()]).toEqual(['team/a/a/b'])
  })

  test('a stopped upload rejects after its parts are gone', async () => {
    const stop = new AbortController()
    const { storage, objects, uploads } = await openS3(({ method, query }) => {
      if (method === 'PUT' && query.get('partNumber') === '2') stop.abort(new Error('enough'))
      return false
    })
    const file = await fileOf(randomBytes(80 * MIB))
    await expect(storage.put('a', file, { signal: stop.signal })).rejects.toThrow('enough')
    expect([objects.size, uploads.size]).toEqual([0, 0])
  })

  test('an upload whose part fails for good leaves neither an object nor parts', async () => {
    const { storage, objects, uploads } = await openS3(({ query }, reply) => {
      if (query.get('partNumber') !== '2') return false
      reply.writeHead(403).end()
      return true
    })
    await expect(storage.put('a', await fileOf(randomBytes(20 * MIB)))).rejects.toMatchObject({
      code: 'VID_CLOUD_STORAGE',
      fault: 'machine',
    })
    expect([objects.size, uploads.size]).toEqual([0, 0])
  })

  test('a download goes on where its connection broke', async () => {
    const content = randomBytes(3 * MIB)
    const ranges: (string | undefined)[] = []
    const { storage } = await openS3(({ method }, reply, request) => {
      if (method !== 'GET' || request.url?.includes('list-type')) return false
      ranges.push(request.headers.range)
      if (ranges.length > 2) return false
      const start = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0)
      reply.writeHead(start > 0 ? 206 : 200, { 'content-length': content.length - start, etag })
      reply.write(content.subarray(start, start + MIB), () => request.socket.destroy())
      return true
    })
    const etag = `"${createHash('md5').update(content).digest('hex')}"`
    await storage.put('a', await fileOf(content))
    const path = join(await newFolder(), 'copy')
    expect(await storage.get('a', path)).toBe(true)
    expect((await readFile(path)).equals(content)).toBe(true)
    expect(ranges[0]).toBeUndefined()
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true)
    expect(ranges.length).toBe(3)
  })

  test('a download of an object that was replaced meanwhile fails, and leaves no file', async () => {
    let broken = false
    const { storage, objects } = await openS3(({ method, key }, reply, request) => {
      if (method !== 'GET' || key !== 'team/a/a' || broken) return false
      broken = true
      reply.writeHead(200, { 'content-length': 5, etag: '"of-another"' })
      reply.write('vi', () => request.socket.destroy())
      return true
    })
    await storage.put('a', await fileOf('video'))
    const folder = await newFolder()
    await expect(storage.get('a', join(folder, 'copy'))).rejects.toMatchObject({ code: 'VID_CLOUD_STORAGE' })
    expect(await readdir(folder)).toEqual([])
    expect(objects.size).toBe(1)
  })

  test('a bucket that is not there, or wrong credentials, are told when it is opened', async () => {
    const { options } = await openS3()
    await expect(openS3Storage(`s3://elsewhere?endpoint=${options.endpoint}`)).rejects.toMatchObject({
      code: 'VID_CLOUD_STORAGE',
      message: expect.stringContaining('NoSuchBucket'),
    })
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'other')
    await expect(openS3Storage(`s3://videos?endpoint=${options.endpoint}`)).rejects.toMatchObject({
      message: expect.stringContaining('SignatureDoesNotMatch'),
    })
  })

  test('AWS_ENDPOINT_URL_S3 says where it is, and clients can be given another address', async () => {
    const { options } = await openS3()
    vi.stubEnv('AWS_ENDPOINT_URL_S3', options.endpoint)
    const storage = await openS3Storage('s3://videos?public-endpoint=https://files.example')
    onTestFinished(() => storage.close())
    await storage.put('a', await fileOf('x'))
    const address = await storage.address('a', { expiresMs: Date.now() + 1000, type: 'video/mp4' })
    expect(address).toMatch(/^https:\/\/files\.example\/videos\/a\?/)
  })

  test.each([
    's3:videos',
    's3://',
    's3://A_B',
    'https://videos',
    's3://user:hush@videos',
    's3://videos/..%2f',
    's3://videos?endpoint=ftp://x',
    's3://videos?regoin=x',
  ])('the address %s is refused', async (text) => {
    const error = await openS3Storage(text).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'VID_CLOUD_STORAGE_ADDRESS', fault: 'caller' })
    expect(String(error)).not.toContain('hush')
  })
})

test('an old blob in S3 that is used is copied onto itself there, and its bytes do not travel', async () => {
  const requests: string[] = []
  const { storage } = await openS3(({ method }, _, request) => {
    requests.push(`${method} ${request.headers['x-amz-copy-source'] ?? ''}`)
    return false
  })
  await storage.put('segments/a/contents/1', await fileOf('a segment'))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const blobs = storage.below('segments/a/', { signal: new AbortController().signal })
  expect(await listBlobs(blobs, 'contents/')).toMatchObject([{ key: 'contents/1', bytes: 9 }])
  requests.length = 0
  await blobs.touch(['contents/1'])
  expect(requests).toEqual(['PUT videos/team/a/segments/a/contents/1'])
  expect(await blobs.read('contents/1')).toBe('a segment')
})
