import { randomBytes } from 'node:crypto'
import { checkRequest } from '@vid/kernel'
import { type Destination, deliverySuite } from '@vid/testkit'
import { describe, expect, test, vi } from 'vitest'
import { failing, reset, silence, status } from '../../../packages/services/s3/src/fixtures/faults.ts'
import { keys, type Seen, startS3 } from '../../../packages/services/s3/src/fixtures/s3-server.ts'
import { artifact, deliver } from './fixtures/deliver.ts'
import s3 from './index.ts'

const MIB = 2 ** 20
const large = randomBytes(13 * MIB)
const inParts = { partSize: 5 * MIB, concurrency: 2 }

const destination = async (): Promise<Destination> => {
  const { objects, uploads, options } = await startS3()
  return {
    outputPath: '/videos/out.bin',
    options,
    async read() {
      const bodies = [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { body }]) => body)
      return bodies.length > 0 ? Buffer.concat(bodies) : undefined
    },
    names: async () => [...new Set([...objects.keys()].map((key) => key.split('/')[0] ?? '')), ...uploads.keys()],
  }
}

deliverySuite(s3, {
  options: { bucket: 'videos' },
  growing: { growing: true },
  destination,
  unreachable: async () => ({
    ...(await destination()),
    options: { ...(await startS3()).options, bucket: 'elsewhere' },
  }),
  refused: async () => ({
    ...(await destination()),
    options: { ...(await startS3()).options, bucket: 'elsewhere' },
  }),
})

test('a missing region is found before anything is rendered', async () => {
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3', 'AWS_PROFILE'])
    vi.stubEnv(name, undefined)
  vi.stubEnv('AWS_CONFIG_FILE', '/dev/null')
  const plugin = s3({ bucket: 'videos', accessKeyId: 'a', secretAccessKey: 'b' })
  const context = { options: plugin.options, signal: new AbortController().signal }
  const request = checkRequest({ projectDir: '/film', output: '/out/film.mp4', format: 'mp4' })
  await expect(plugin.check?.(request, context as never)).rejects.toMatchObject({
    code: 'VID_S3_BUCKET',
    message: expect.stringContaining('Region is missing'),
  })
  vi.unstubAllEnvs()
})

const partOf = ({ query }: Seen) => query.get('partNumber')

describe('an upload in parts', () => {
  test('arrives whole, with its type, in as many requests as there are parts', async () => {
    const { objects, uploads, seen, options } = await startS3()
    const path = await artifact(large)
    expect(await deliver({ ...options, ...inParts, cacheControl: 'no-cache' }, path)).toEqual({
      address: `s3://${options.bucket}/hello.mp4`,
      error: undefined,
      warnings: [],
    })
    expect(objects.get('hello.mp4')?.body.equals(large)).toBe(true)
    expect(objects.get('hello.mp4')?.type).toBe('video/mp4')
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'PUT', 'PUT', 'PUT', 'POST'])
    expect(uploads.size).toBe(0)
  })

  test.each([
    ['a server error', status(500, 'InternalError'), {}],
    ['a call to slow down', status(503, 'SlowDown'), {}],
    ['a broken connection', reset, {}],
    // Longer than any other request takes, also on a busy machine.
    ['no answer', silence, { timeoutMs: 2000 }],
  ])('%s retries one part, not the whole upload', async (_, how, limits) => {
    const { fault, failed } = failing(2, (seen) => partOf(seen) === '2', how)
    const { objects, seen, options } = await startS3(fault)
    const { error } = await deliver({ ...options, ...inParts, ...limits }, await artifact(large))
    expect(error).toBeUndefined()
    expect(failed.count).toBe(2)
    expect(objects.get('hello.mp4')?.body.equals(large)).toBe(true)
    const parts = seen.map(({ query }) => query.get('partNumber')).filter(Boolean)
    expect(parts.sort()).toEqual(['1', '2', '2', '2', '3'])
  })

  test.each([
    ['part', (part: string | null) => part === '3'],
    ['end', (part: string | null, method: string) => part === null && method === 'POST'],
  ])('that fails permanently at its %s leaves nothing incomplete', async (where, chooses) => {
    let begun = false
    const { fault } = failing(
      99,
      (seen) => {
        // The first POST opens the upload.
        const isFirst = seen.method === 'POST' && !begun
        begun = true
        return !isFirst && chooses(partOf(seen), seen.method)
      },
      status(500, 'InternalError'),
    )
    const { objects, uploads, seen, options } = await startS3(fault)
    const { error, warnings } = await deliver({ ...options, ...inParts, attempts: 2 }, await artifact(large))
    expect(error, where).toMatchObject({ code: 'VID_S3_FAILED' })
    expect(error?.message).toContain('s3://videos/hello.mp4')
    expect([objects.size, uploads.size]).toEqual([0, 0])
    expect(seen.at(-1)?.method).toBe('DELETE')
    expect(warnings).toEqual([])
  })

  test('that cannot be aborted reports the remaining parts', async () => {
    const { fault } = failing(
      99,
      (seen) => partOf(seen) === '1' || seen.method === 'DELETE',
      status(500, 'InternalError'),
    )
    const { uploads, options } = await startS3(fault)
    const { error, warnings } = await deliver({ ...options, ...inParts, attempts: 1 }, await artifact(large))
    expect(error).toMatchObject({ code: 'VID_S3_FAILED' })
    expect(warnings).toMatchObject([
      { code: 'VID_S3_PARTS_LEFT', message: expect.stringContaining([...uploads.keys()][0] ?? '?') },
    ])
  })

  test('that is stopped is aborted, and no request follows', async () => {
    const stop = new AbortController()
    const { uploads, objects, seen, options } = await startS3(({ query }) => {
      if (query.get('partNumber') === '2') stop.abort(new Error('enough'))
      return query.get('partNumber') !== null
    })
    const { error } = await deliver({ ...options, ...inParts }, await artifact(large), {
      signal: stop.signal,
    })
    expect(error?.message).toBe('enough')
    expect([objects.size, uploads.size]).toEqual([0, 0])
    expect(seen.at(-1)?.method).toBe('DELETE')
  })
})

describe('credentials', () => {
  test.each([
    ['another secret', { secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch'],
    ['another key', { accessKeyId: 'AKIDOTHER' }, 'InvalidAccessKeyId'],
  ])('%s fails immediately, and the error shows no secret', async (_, wrong, reason) => {
    const { objects, seen, options } = await startS3()
    const { error } = await deliver({ ...options, ...wrong }, await artifact(Buffer.from('video')))
    expect(error).toMatchObject({ code: 'VID_S3_DENIED', final: true })
    expect(error?.message).toContain(reason)
    expect(JSON.stringify([error, error?.message])).not.toMatch(/hush|wrong/)
    expect([objects.size, seen.length]).toEqual([0, 1])
  })

  test('a missing bucket is reported by name', async () => {
    const { options } = await startS3()
    const { error } = await deliver({ ...options, bucket: 'none' }, await artifact(Buffer.from('video')))
    expect(error).toMatchObject({ code: 'VID_S3_BUCKET', final: true })
  })

  test('incomplete credentials are an error before anything is rendered', () => {
    expect(() => s3({ bucket: 'b', accessKeyId: keys.accessKeyId })).toThrow(/secretAccessKey is missing/)
    expect(() => s3({ bucket: 'b', secretAccessKey: keys.secretAccessKey })).toThrow(/accessKeyId is missing/)
  })

  test('no server at the address is an error', async () => {
    const { options } = await startS3()
    const dead = { ...options, endpoint: 'http://127.0.0.1:9', attempts: 1 }
    const { error } = await deliver(dead, await artifact(Buffer.from('video')))
    expect(error).toMatchObject({ code: 'VID_S3_FAILED', message: expect.stringContaining('ECONNREFUSED') })
  })
})

describe('a folder of images', () => {
  const frames = { 'frame_000000.png': 'first', 'frame_000001.png': 'second', 'more/notes.json': '{}' }

  test('is uploaded below the key, each file with its type', async () => {
    const { objects, options } = await startS3()
    const path = await artifact(frames)
    await deliver({ ...options, key: 'shots/{stem}-{format}' }, path, { outputPath: '/out/take 1' })
    const stored = [...objects].map(([key, { body, type }]) => [key, String(body), type])
    expect(stored.sort()).toEqual([
      ['shots/take 1-png/frame_000000.png', 'first', 'image/png'],
      ['shots/take 1-png/frame_000001.png', 'second', 'image/png'],
      ['shots/take 1-png/more/notes.json', '{}', 'application/json'],
    ])
  })

  test('is removed again when one file fails', async () => {
    const { objects, options } = await startS3((seen, reply, request) =>
      seen.key.endsWith('1.png') ? status(500, 'InternalError')(seen, reply, request) : false,
    )
    const path = await artifact(frames)
    const { error } = await deliver({ ...options, concurrency: 1, attempts: 1 }, path)
    expect(error).toMatchObject({ code: 'VID_S3_FAILED' })
    expect([...objects.keys()]).toEqual([])
  })
})

describe('keys', () => {
  test('are filled in from the output and the date', async () => {
    const { objects, options } = await startS3()
    const path = await artifact(Buffer.from('video'))
    const outputPath = '/videos/grün & blau.webm'
    await deliver({ ...options, key: "{date}/a-b_c.d!'()*/{format}/{stem}/{name}" }, path, { outputPath })
    const day = new Date().toISOString().slice(0, 10)
    expect([...objects.keys()]).toEqual([`${day}/a-b_c.d!'()*/webm/grün & blau/grün & blau.webm`])
  })

  test.each(['', '/a', 'a/', 'a//b', '../a', 'a/./b', '{nme}', '{', 'a}', 'a b', 'ä', '{constructor}', '{ name }'])(
    'the template "%s" is an error before anything is rendered',
    (key) => {
      expect(() => s3({ bucket: 'b', key })).toThrow(expect.objectContaining({ code: 'VID_S3_KEY', fault: 'caller' }))
    },
  )

  test('that become too long are an error', async () => {
    const { options } = await startS3()
    const key = `${'{stem}/'.repeat(300)}{name}`
    const { error } = await deliver({ ...options, key }, await artifact(Buffer.from('video')))
    expect(error).toMatchObject({ code: 'VID_S3_KEY', message: expect.stringContaining('1024 bytes') })
  })
})

test('examining the delivery proves that it may write, and makes no object', async () => {
  const { objects, uploads, options, seen } = await startS3()
  const examine = (more: object = {}) => {
    const plugin = s3({ ...options, ...more })
    const context = { options: plugin.options, signal: new AbortController().signal }
    return plugin.examine?.(context as unknown as Parameters<NonNullable<typeof plugin.examine>>[0])
  }
  expect(await examine({ key: 'films/{name}' })).toContain('/films/examined.mp4')
  expect(seen.map(({ method }) => method)).toEqual(['POST', 'DELETE'])
  expect([objects.size, uploads.size]).toEqual([0, 0])
  await expect(examine({ secretAccessKey: 'wrong-secret' })).rejects.toMatchObject({ code: 'VID_S3_DENIED' })
})
