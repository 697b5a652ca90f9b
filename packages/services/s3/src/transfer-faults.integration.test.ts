import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cutBody, failing, lostAnswer, reset, silence, slowBody, stalledBody, status } from './fixtures/faults.ts'
import type { Fault, Seen } from './fixtures/s3-server.ts'
import { fileOf, newFolder, openLoopback } from './fixtures/servers.ts'
import { createS3Client, downloadObject, putObject, readObject, sizeOf, uploadFile } from './index.ts'

const MIB = 2 ** 20
const content = randomBytes(2 * MIB)
const isGet = ({ method }: Seen) => method === 'GET'

/** A server with one object, whose reads go wrong, and the ranges that were asked for. */
const openReading = async (fault: Fault, options = {}) => {
  const ranges: (string | undefined)[] = []
  const server = await openLoopback((seen, reply, request) => {
    if (seen.method === 'GET') ranges.push(request.headers.range)
    return fault(seen, reply, request)
  }, options)
  await putObject(server.place, 'a', content)
  const folder = await newFolder()
  const path = join(folder, 'copy')
  const download = () => downloadObject(server.place, 'a', path)
  return { ...server, ranges, download, path, folder }
}

test.each([
  ['a call to slow down', 3, status(503, 'SlowDown')],
  ['a server error', 2, status(500, 'InternalError')],
  ['a broken connection', 2, reset],
  ['no answer', 1, silence],
  ['a body that is cut off', 3, cutBody(300_000)],
  ['a body of which nothing comes', 2, cutBody(0)],
  ['a body that stalls', 2, stalledBody(300_000)],
  ['a body that comes slowly', 99, slowBody(500_000)],
])('%s costs time, and the object arrives whole', async (_, times, how) => {
  const { fault, failed } = failing(times, isGet, how)
  // On a busy machine, a healthy answer may be late too.
  const { download, path } = await openReading(fault, { timeoutMs: 700, attempts: 100 })
  expect(await download()).toBe(true)
  expect((await readFile(path)).equals(content)).toBe(true)
  expect(failed.count).toBeGreaterThan(0)
})

test('a read goes on where its connection broke', async () => {
  const { fault } = failing(3, isGet, cutBody(500_000))
  const { place, ranges } = await openReading(fault)
  expect((await readObject(place, 'a', 2 * MIB))?.equals(content)).toBe(true)
  expect(ranges[0]).toBeUndefined()
  const starts = ranges.slice(1).map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1]))
  expect(starts).toHaveLength(3)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  expect(starts[0]).toBeGreaterThan(0)
})

test('an object that is replaced while it is read is no mixture: the read fails and leaves no file', async () => {
  const { fault } = failing(1, isGet, cutBody(500_000))
  const server = await openReading((seen, reply, request) => {
    const isCut = fault(seen, reply, request)
    if (seen.method === 'GET')
      reply.once('close', () => server.objects.set('a', { body: randomBytes(2 * MIB), type: undefined, writtenMs: 0 }))
    return isCut
  })
  await expect(server.download()).rejects.toMatchObject({
    code: 'VID_S3_FAILED',
    message: expect.stringContaining('PreconditionFailed'),
  })
  expect(await readdir(server.folder)).toEqual([])
})

test.each([
  ['brings nothing more', cutBody(0)],
  ['never answers', silence],
  ['always has an error', status(503, 'SlowDown')],
])('a server that %s fails the read, and leaves no file', async (_, how) => {
  const { download, folder } = await openReading(failing(999, isGet, how).fault, {
    timeoutMs: 500,
    attempts: 2,
  })
  await expect(download()).rejects.toMatchObject({ code: 'VID_S3_FAILED', fault: 'machine', final: false })
  expect(await readdir(folder)).toEqual([])
})

test('a read that is stopped in the middle rejects with the reason, and leaves no file', async () => {
  const stop = new AbortController()
  const { place, path, folder } = await openReading(failing(9, isGet, stalledBody(300_000)).fault)
  const reading = downloadObject({ ...place, signal: stop.signal }, 'a', path)
  await expect.poll(() => readdir(folder)).toHaveLength(1)
  stop.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
  expect(await readdir(folder)).toEqual([])
})

test('many requests at once make no warning of Node', async () => {
  const warnings: string[] = []
  const note = ({ message }: Error) => void warnings.push(message)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const { place } = await openLoopback()
  const stop = new AbortController()
  const many = { ...place, signal: stop.signal }
  await uploadFile(many, 'a', await fileOf(randomBytes(70 * MIB)), { partBytes: 5 * MIB, partsAtOnce: 14 })
  await Promise.all(Array.from({ length: 14 }, (_, index) => putObject(many, `b${index}`, 'x')))
  expect(warnings).toEqual([])
})

test('a bucket in another region is told as such, also where the answer has no words', async () => {
  const { place } = await openLoopback((_, reply) => {
    reply.writeHead(301).end()
    return true
  })
  await expect(sizeOf(place, 'a')).rejects.toMatchObject({ code: 'VID_S3_BUCKET' })
})

test('an upload whose last answer was lost is known to be complete', async () => {
  const isEnd = ({ method, query }: Seen) => method === 'POST' && query.has('uploadId')
  const { fault, failed } = failing(1, isEnd, lostAnswer)
  const { place, objects, uploads, seen } = await openLoopback(fault)
  const body = randomBytes(11 * MIB)
  const progress: number[] = []
  const onSent = (bytes: number) => progress.push(bytes)
  await uploadFile(place, 'a', await fileOf(body), { partBytes: 5 * MIB, onSent })
  expect([progress.at(-1), progress]).toEqual([body.length, progress.toSorted((a, b) => a - b)])
  expect([failed.count, uploads.size]).toEqual([1, 0])
  expect(objects.get('a')?.body.equals(body)).toBe(true)
  expect(seen.some(({ method }) => method === 'DELETE')).toBe(false)
})

test('an upload that ends while another object has its name is an error', async () => {
  const isEnd = ({ method, query }: Seen) => method === 'POST' && query.has('uploadId')
  const { fault } = failing(9, isEnd, status(500, 'InternalError'))
  const { place, objects, uploads } = await openLoopback(fault, { attempts: 2 })
  await putObject(place, 'a', 'theirs')
  const file = await fileOf(randomBytes(11 * MIB))
  await expect(uploadFile(place, 'a', file, { partBytes: 5 * MIB })).rejects.toMatchObject({
    code: 'VID_S3_FAILED',
    message: expect.stringContaining('InternalError'),
  })
  expect([String(objects.get('a')?.body), uploads.size]).toEqual(['theirs', 0])
})

test('a server by the environment is spoken to as one other than AWS', async () => {
  const { options, place, objects } = await openLoopback()
  vi.stubEnv('AWS_ENDPOINT_URL_S3', options.endpoint.replace('127.0.0.1', 'localhost'))
  const client = await createS3Client({
    accessKeyId: options.accessKeyId,
    secretAccessKey: options.secretAccessKey,
  })
  onTestFinished(() => void vi.unstubAllEnvs())
  await putObject({ ...place, client }, 'a', 'x')
  client.destroy()
  expect([...objects.keys()]).toEqual(['a'])
})

test.each([
  ['another secret', { secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch'],
  ['another key', { accessKeyId: 'AKIDOTHER' }, 'InvalidAccessKeyId'],
])('%s is denied at once, with the permission that is needed and no secret', async (_, wrong, reason) => {
  const { place, seen } = await openLoopback(undefined, wrong)
  const error = await readObject(place, 'a', 10).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    code: 'VID_S3_DENIED',
    final: true,
    message: expect.stringContaining(reason),
    hint: expect.stringContaining('s3:GetObject'),
  })
  expect(JSON.stringify([error, String(error)])).not.toMatch(/hush|wrong/)
  expect(seen).toHaveLength(1)
})
