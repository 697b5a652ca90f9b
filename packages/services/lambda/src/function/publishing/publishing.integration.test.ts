import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { render } from '@vid/render'
import { namesIn } from '@vid/s3'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ChunkResult, Planned, PublishResult } from '../../contract/action-events.ts'
import { prefixes, renderKeys } from '../../contract/object-keys.ts'
import { startAws } from '../../fixtures/aws-endpoint.ts'
import { stopRender } from '../../renders/stop-render.ts'
import {
  type Bucket,
  contextOf,
  growingBar,
  inputOf,
  makeFolder,
  openBucket,
  openFunction,
  planOnly,
  putSite,
  sharedFunction,
} from '../fixtures/function.ts'

const OUTPUT = 'outputs/film'
const END = '#EXT-X-ENDLIST\n'
const project = { 'index.html': growingBar(0.8).replaceAll('64', '256').replaceAll('32', '128') }

/** Four chunks of six frames, each of one segment. */
const streamOf = (siteId: string) =>
  inputOf(siteId, {
    request: { format: 'hls', fps: 30, ladder: '64' },
    chunks: { maxParallelChunks: 16, chunkSize: 6 },
    outputKey: OUTPUT,
    growing: true,
  })

/** Notes each playlist that is stored, and what it names that is not stored at that time. */
const watch = ({ objects }: Bucket) => {
  const versions = new Map<string, string[]>()
  const missing: string[] = []
  const set = objects.set.bind(objects)
  onTestFinished(() => void Reflect.deleteProperty(objects, 'set'))
  objects.set = (key, object) => {
    if (key.endsWith('.m3u8')) {
      const text = object.body.toString()
      versions.set(key, [...(versions.get(key) ?? []), text])
      missing.push(...namesIn(text).filter((name) => !objects.has(`${OUTPUT}/${name}`)))
    }
    return set(key, object)
  }
  const textsOf = (name: string) => versions.get(`${OUTPUT}/${name}`) ?? []
  return { missing, textsOf, countsOf: (name: string) => textsOf(name).map((text) => text.split('#EXTINF').length - 1) }
}

/** The segments of the video, once a test has rendered them: the others are about what is published of them. */
const cachedSegments: Bucket['objects'] = new Map()

const textOf = ({ objects }: Bucket, name: string) => objects.get(`${OUTPUT}/${name}`)?.body.toString() ?? ''
const until = (work: () => unknown) => expect.poll(work, { timeout: 60_000, interval: 20 })

/** As if so many seconds had passed. */
const passTime = (seconds: number) => {
  const now = Date.now.bind(Date)
  vi.spyOn(Date, 'now').mockImplementation(() => now() + seconds * 1000)
}

const setUp = async () => {
  const bucket = await openBucket()
  const { siteId, project: folder } = await putSite(bucket, project)
  const { handler } = await sharedFunction()
  for (const [key, object] of cachedSegments) bucket.objects.set(key, object)
  const seen = watch(bucket)
  const input = streamOf(siteId)
  const { planned, event } = await planOnly(input, handler)
  const segments = async (...chunks: readonly number[]) => {
    const results: ChunkResult[] = []
    for (const chunk of chunks) results.push((await handler({ ...event, chunk }, contextOf())) as ChunkResult)
    for (const [key, object] of bucket.objects) if (key.startsWith(prefixes.segments)) cachedSegments.set(key, object)
    return results
  }
  const publish = async (other = handler) =>
    (await other({ ...event, action: 'publish' }, contextOf())) as PublishResult
  return { bucket, folder, handler, seen, input, planned, segments, publish }
}

const assembleOf = ({ renderId, request, plan }: Planned, results: readonly unknown[]) => ({
  action: 'assemble',
  renderId,
  request,
  plan,
  results,
})

test('chunks that finish out of order are published in order, and the finished video is that of a local render', async () => {
  const { bucket, folder, handler, seen, input, planned, segments, publish } = await setUp()
  expect(planned.parts).toEqual([
    { action: 'segment', chunk: 0 },
    { action: 'segment', chunk: 1 },
    { action: 'segment', chunk: 2 },
    { action: 'segment', chunk: 3 },
    { action: 'publish', chunk: 0 },
  ])
  const publisher = await openFunction()
  const publishing = publish(publisher.handler)
  const last = await segments(3, 1)
  expect(seen.textsOf('index.m3u8')).toEqual([])
  const first = await segments(0)
  await until(() => seen.countsOf('128p.m3u8')).toEqual([1, 2])
  const more = await segments(2)
  const published = await publishing
  expect(published).toEqual({ published: 4 })
  expect(seen.countsOf('128p.m3u8')).toEqual([1, 2, 3, 4])
  expect(seen.missing).toEqual([])
  expect(textOf(bucket, '128p.m3u8')).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
  expect(textOf(bucket, '128p.m3u8')).toContain(END)
  const sent = bucket.seen.length
  const result = await handler(assembleOf(planned, [...first, ...more, published, ...last]), contextOf())
  expect(result).toMatchObject({ outputKey: OUTPUT, frames: 24, warnings: 0 })
  const local = join(await makeFolder(), 'film')
  const settings = { format: 'hls', fps: 30, ladder: '64', segmentFrames: 6, workers: 1, cache: false } as const
  const context = { configFrom: 'cwd', cwd: folder, env: {} } as const
  await render({ ...settings, projectDir: folder, output: local }, context)
  const names = (await readdir(local)).sort()
  expect(bucket.keysBelow(`${OUTPUT}/`)).toEqual(names.map((name) => `${OUTPUT}/${name}`))
  for (const name of names)
    expect(bucket.objects.get(`${OUTPUT}/${name}`)?.body.equals(await readFile(join(local, name))), name).toBe(true)
  // What was published is not stored again.
  const again = bucket.seen.slice(sent).filter(({ method, key }) => method === 'PUT' && key.endsWith('.m4s'))
  expect(again).toEqual([])
  expect(bucket.objects.get(`${OUTPUT}/128p.m3u8`)).toMatchObject({ cacheControl: 'no-cache' })
  expect(bucket.keysBelow(renderKeys(input.renderId).folder).filter((key) => !key.includes('/calls/'))).toEqual([
    renderKeys(input.renderId).result,
    renderKeys(input.renderId).stream,
  ])
})

test('two calls that publish at the same time show each segment once, and a repeated chunk changes nothing', async () => {
  const { bucket, seen, segments, publish } = await setUp()
  const one = await openFunction()
  const other = await openFunction()
  const publishing = Promise.all([publish(one.handler), publish(other.handler)])
  const first = await segments(0)
  expect(await segments(0)).toEqual(first)
  await segments(2, 1, 3)
  for (const { published, problem } of await publishing) expect([published, problem]).toEqual([4, undefined])
  const texts = seen.textsOf('128p.m3u8')
  for (const [index, text] of texts.entries()) expect(text.startsWith(texts[index - 1] ?? '')).toBe(true)
  expect(new Set(seen.countsOf('128p.m3u8')).size).toBe(texts.length)
  expect(seen.countsOf('128p.m3u8').at(-1)).toBe(4)
  expect(seen.missing).toEqual([])
  const names = namesIn(textOf(bucket, '128p.m3u8'))
  expect(names).toHaveLength(new Set(names).size)
})

test('a render that fails ends all playlists after the same segment, and a call that still publishes adds nothing', async () => {
  const { bucket, handler, seen, planned, input, segments, publish } = await setUp()
  const publisher = await openFunction()
  const publishing = publish(publisher.handler)
  await segments(0, 1, 3)
  await until(() => seen.countsOf('64p.m3u8').at(-1)).toBe(2)
  const { renderId } = planned
  const error = { Error: 'VID_SCRIPT_FAILED', Cause: '{}' }
  await handler({ action: 'abandon', renderId, error }, contextOf())
  expect(await publishing).toEqual({ published: 2 })
  for (const name of ['128p.m3u8', '64p.m3u8', '128p-keys.m3u8', '64p-keys.m3u8']) {
    expect(textOf(bucket, name).endsWith(END), name).toBe(true)
    expect(seen.countsOf(name).at(-1), name).toBe(2)
  }
  expect(textOf(bucket, 'index.m3u8')).not.toContain(END)
  const before = seen.textsOf('128p.m3u8').length
  await expect(publish()).rejects.toMatchObject({ name: 'VID_LAMBDA_LOST' })
  expect(seen.textsOf('128p.m3u8')).toHaveLength(before)
  const left = bucket.keysBelow(renderKeys(input.renderId).folder).filter((key) => !key.includes('/calls/'))
  expect(left).toEqual([renderKeys(renderId).failure, renderKeys(renderId).stream])
})

test('a render that is stopped ends all playlists after the same segment, and a call that still publishes adds nothing', async () => {
  const { bucket, seen, planned, segments, publish } = await setUp()
  const { renderId } = planned
  const publisher = await openFunction()
  const publishing = publish(publisher.handler)
  await segments(0, 1, 3)
  await until(() => seen.countsOf('64p.m3u8').at(-1)).toBe(2)
  const aws = await startAws({ StopExecution: () => ({ stopDate: 1_790_000_001 }) })
  const stateMachineArn = 'arn:aws:states:eu-central-1:123456789012:stateMachine:vid-render'
  const stop = () => stopRender({ renderId, stateMachineArn, bucketName: 'videos' })
  await stop()
  expect(aws.of('StopExecution')).toHaveLength(1)
  // Calls that run go on to their end.
  await segments(2)
  expect(await publishing).toEqual({ published: 2 })
  const texts = () => ['128p.m3u8', '64p.m3u8', '128p-keys.m3u8', '64p-keys.m3u8'].map((name) => textOf(bucket, name))
  for (const text of texts()) expect(text.endsWith(END)).toBe(true)
  for (const name of ['128p.m3u8', '64p.m3u8']) expect(seen.countsOf(name).at(-1), name).toBe(2)
  const before = texts()
  await stop()
  expect(texts()).toEqual(before)
})

test('a render that fails before its first segment leaves no playlist, also when a call publishes afterwards', async () => {
  const { bucket, handler, planned, publish } = await setUp()
  const { renderId } = planned
  const publisher = await openFunction()
  const publishing = publish(publisher.handler)
  // It has read what it publishes, which is removed with the work of the render.
  const { stream } = renderKeys(renderId)
  await until(() => bucket.seen.some(({ method, key }) => method === 'GET' && key === stream)).toBe(true)
  await handler({ action: 'abandon', renderId, error: {} }, contextOf())
  expect(await publishing).toEqual({ published: 0 })
  expect(bucket.keysBelow(`${OUTPUT}/`)).toEqual([])
})

test('a call whose time is over is followed by one that goes on where it stopped', async () => {
  const { bucket, seen, segments, publish } = await setUp()
  const one = await openFunction()
  await segments(0, 1)
  const early = publish(one.handler)
  const waits = expect(early).rejects.toMatchObject({ name: 'VID_LAMBDA_STREAM_WAITS' })
  await until(() => seen.countsOf('128p.m3u8')).toEqual([1, 2])
  passTime(250)
  await waits
  vi.restoreAllMocks()
  expect(seen.countsOf('128p.m3u8')).toEqual([1, 2])
  await segments(2, 3)
  const sent = bucket.seen.length
  const other = await openFunction()
  expect(await publish(other.handler)).toEqual({ published: 4 })
  expect(seen.countsOf('128p.m3u8')).toEqual([1, 2, 3, 4])
  const stored = bucket.seen.slice(sent).filter(({ method, key }) => method === 'PUT' && key.endsWith('.m4s'))
  expect(stored.map(({ key }) => key).sort()).toEqual(
    ['128p-00002', '128p-00003', '64p-00002', '64p-00003'].map((name) => `${OUTPUT}/${name}.m4s`),
  )
})

test('after repeated failures the video is no longer published, and its render does not fail', async () => {
  const { bucket, handler, planned, segments, publish } = await setUp()
  const { calls } = renderKeys(planned.renderId)
  for (const id of ['one', 'other']) bucket.put(`${calls}publish.0.${id}.start`, Buffer.alloc(0))
  const published = await publish()
  expect(published).toMatchObject({ published: 0, problem: expect.stringContaining('again and again') })
  const results = [...(await segments(0, 1, 2, 3)), published]
  const result = await handler(assembleOf(planned, results), contextOf())
  expect(result).toMatchObject({ frames: 24, warnings: 1 })
  expect(textOf(bucket, '128p.m3u8')).toContain('#EXT-X-PLAYLIST-TYPE:VOD')
  expect(bucket.objects.get(renderKeys(planned.renderId).result)?.body.toString()).toContain('VID_LAMBDA_UNPUBLISHED')
})
