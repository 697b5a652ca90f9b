import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type RenderSettings, render } from '@vid/render'
import { expect, test } from 'vitest'
import type { ChunkResult } from '../contract/action-events.ts'
import { readCallRecord } from '../contract/call-records.ts'
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
  runWorkflow,
  sharedFunction,
} from './fixtures/function.ts'

const chunked = { maxParallelChunks: 16, chunkSize: 6 }

/** Renders a project as `vid render` does; returns the path of the result. */
const renderHere = async (
  projectDir: string,
  settings: RenderSettings & { readonly output: string },
): Promise<string> => {
  const output = join(await makeFolder(), settings.output)
  const context = { configFrom: 'cwd', cwd: projectDir, env: {} } as const
  await render({ ...settings, projectDir, output, workers: 1, cache: false }, context)
  return output
}

const endsOf = ({ keysBelow }: Bucket, renderId: string) =>
  keysBelow(`renders/${renderId}/calls/`)
    .map((key) => readCallRecord(key, 0))
    .flatMap((record) => (record?.end ? [{ action: record.action, ...record.end }] : []))

test('a render in calls of two environments gives the bytes of a local render, and leaves only its records', async () => {
  const bucket = await openBucket()
  const { project, siteId } = await putSite(bucket, { 'index.html': growingBar() })
  const local = await readFile(await renderHere(project, { output: 'film.mp4', segmentFrames: 6 }))
  const one = await openFunction()
  const other = await openFunction()
  const input = inputOf(siteId, { chunks: chunked, reuse: false })
  const { planned, result } = await runWorkflow(input, one.handler, other.handler)
  expect(planned).toMatchObject({ frames: 30, chunks: [0, 1, 2, 3, 4], isWide: false })
  expect(bucket.objects.get('outputs/film.mp4')?.body.equals(local)).toBe(true)
  expect(result).toMatchObject({
    outputKey: 'outputs/film.mp4',
    bytes: local.length,
    frames: 30,
    durationMs: 1000,
    width: 64,
    height: 32,
    warnings: 0,
    sha256: createHash('sha256').update(local).digest('hex'),
  })
  const groups = bucket.keysBelow(`renders/${input.renderId}/`).map((key) => key.split('/')[2])
  expect([...new Set(groups)]).toEqual(['calls', 'result.json'])
  const ends = endsOf(bucket, input.renderId)
  expect(ends.filter(({ isCold }) => isCold)).toHaveLength(2)
  expect(ends.find(({ action }) => action === 'plan')).toMatchObject({ chunks: 5 })
  expect(ends.map(({ action, frames, reusedFrames }) => [action, frames, reusedFrames])).toEqual([
    ['assemble', 30, 0],
    ['plan', 30, 0],
    ...[6, 6, 6, 6, 6].map((frames) => ['segment', frames, 0]),
  ])
  for (const { tempDir, codeDir } of [one, other]) {
    expect(await readdir(tempDir)).toEqual(['vid-sites'])
    expect(await readdir(codeDir)).toEqual([])
  }
})

test('a second render takes its segments from the bucket', async () => {
  const bucket = await openBucket()
  const { siteId } = await putSite(bucket, { 'index.html': growingBar() })
  const { handler } = await sharedFunction()
  const first = await runWorkflow(inputOf(siteId, { chunks: chunked }), handler)
  const again = inputOf(siteId, { chunks: chunked })
  const { result } = await runWorkflow(again, handler)
  expect(result.sha256).toBe(first.result.sha256)
  const reused = endsOf(bucket, again.renderId).filter(({ action }) => action === 'segment')
  expect(reused.map(({ frames, reusedFrames }) => [frames, reusedFrames])).toEqual([
    [6, 6],
    [6, 6],
    [6, 6],
    [6, 6],
    [6, 6],
  ])
})

test('a sequence of images travels as one object for each segment, and arrives as the files of a folder', async () => {
  const bucket = await openBucket()
  const { project, siteId } = await putSite(bucket, { 'index.html': growingBar(0.4) })
  const folder = await renderHere(project, { output: 'frames', format: 'png-sequence', segmentFrames: 6 })
  const names = (await readdir(folder)).sort()
  const longer = (names[0] ?? '').replace(/\d+/, '000099')
  const foreign = 'notes.txt'
  for (const name of [longer, foreign]) bucket.put(`outputs/frames/${name}`, Buffer.from('an earlier one'))
  const { handler } = await sharedFunction()
  const input = inputOf(siteId, {
    request: { format: 'png-sequence', fps: 30 },
    outputKey: 'outputs/frames',
    chunks: { maxParallelChunks: 2, chunkSize: 6 },
  })
  const { planned, event } = await planOnly(input, handler)
  const { chunk, sha256 } = (await handler(event, contextOf())) as ChunkResult
  const segments = bucket.keysBelow(`renders/${input.renderId}/segments/`)
  expect(segments).toHaveLength(1)
  const next = (await handler({ ...event, chunk: 1 }, contextOf())) as ChunkResult
  const { renderId, request, plan } = planned
  const assemble = { action: 'assemble', renderId, request, plan, results: [{ chunk, sha256 }, next] }
  const result = await handler(assemble, contextOf())
  expect(result).toMatchObject({ files: 12, frames: 12, outputKey: 'outputs/frames' })
  const fileNames = bucket.keysBelow('outputs/frames/').map((key) => key.split('/').at(-1))
  expect(fileNames).toEqual([...names, foreign].sort())
  for (const name of names)
    expect(bucket.objects.get(`outputs/frames/${name}`)?.body.equals(await readFile(join(folder, name)))).toBe(true)
})

test('what was altered in the bucket is refused, under its code and with a record of the end', async () => {
  const bucket = await openBucket()
  const { siteId } = await putSite(bucket, { 'index.html': growingBar(0.2) })
  const { handler } = await sharedFunction()
  const { event } = await planOnly(inputOf(siteId), handler)
  const { renderId, plan } = event
  const text = bucket.objects.get(plan.key)?.body.toString() ?? ''
  bucket.put(plan.key, Buffer.from(text.replace('"frames":6', '"frames":5')))
  const failure = (await handler(event, contextOf()).catch((thrown: unknown) => thrown)) as Error
  expect(failure.name).toBe('VID_LAMBDA_ALTERED')
  expect(JSON.parse(failure.message)).toMatchObject({
    code: 'VID_LAMBDA_ALTERED',
    fault: 'machine',
    message: expect.stringContaining(plan.key),
  })
  const elsewhere = { ...event, plan: { ...plan, key: 'renders/other/plan.json' } }
  await expect(handler(elsewhere, contextOf())).rejects.toMatchObject({ name: 'VID_LAMBDA_ALTERED' })
  const outcomes = endsOf(bucket, renderId).map(({ outcome }) => outcome)
  expect(outcomes.sort()).toEqual(['VID_LAMBDA_ALTERED', 'VID_LAMBDA_ALTERED', 'done'])
})

test('a call that was killed after the result is followed by one that removes the work and tells the same', async () => {
  const bucket = await openBucket()
  const { siteId } = await putSite(bucket, { 'index.html': growingBar(0.2) })
  const { handler } = await sharedFunction()
  const { planned, event } = await planOnly(inputOf(siteId), handler)
  const result = await handler(event, contextOf())
  const { renderId, request, plan } = planned
  const work = [...bucket.objects].filter(([key]) => /\/(request|plan|chunks|segments)\b/.test(key))
  const assemble = { action: 'assemble', renderId, request, plan, results: [result] }
  const first = await handler(assemble, contextOf())
  for (const [key, object] of work) bucket.objects.set(key, object)
  expect(await handler(assemble, contextOf())).toEqual(first)
  const groups = bucket.keysBelow(`renders/${renderId}/`).map((key) => key.split('/')[2])
  expect([...new Set(groups)]).toEqual(['calls', 'result.json'])
})

test('the record of an end that is not answered is written by another request', async () => {
  let unanswered = 0
  const bucket = await openBucket(({ method, key }) => {
    const isFirst = method === 'PUT' && key.includes('.end.') && unanswered === 0
    if (isFirst) unanswered += 1
    return isFirst
  })
  const { siteId } = await putSite(bucket, { 'index.html': growingBar(0.2) })
  const { handler } = await sharedFunction()
  const input = inputOf(siteId)
  await handler(input, contextOf())
  expect(unanswered).toBe(1)
  expect(endsOf(bucket, input.renderId)).toMatchObject([{ action: 'plan', outcome: 'done', frames: 6 }])
})

test.each([
  ['fails', (reply: ServerResponse) => void reply.writeHead(500).end()],
  ['is refused', (reply: ServerResponse) => void reply.writeHead(403).end()],
  ['is never answered', () => {}],
])('a call has done its work when the write of its last record %s', async (_, answer) => {
  const bucket = await openBucket(({ method, key }, reply) => {
    const isRecord = method === 'PUT' && /\/calls\/.*\.end\./.test(key)
    if (isRecord) answer(reply)
    return isRecord
  })
  const { siteId } = await putSite(bucket, { 'index.html': growingBar(0.2) })
  const { handler } = await sharedFunction()
  const input = inputOf(siteId)
  expect(await handler(input, contextOf())).toMatchObject({ frames: 6, chunks: [0] })
  const records = bucket.keysBelow(`renders/${input.renderId}/calls/`)
  expect(records).toEqual([expect.stringMatching(/\.start$/)])
})

test('a segment whose object was altered never gets into a file', async () => {
  const bucket = await openBucket()
  const { siteId } = await putSite(bucket, { 'index.html': growingBar(0.2) })
  const { handler } = await sharedFunction()
  const { planned, event } = await planOnly(inputOf(siteId), handler)
  const result = await handler(event, contextOf())
  const { renderId, request, plan } = planned
  const [key = ''] = bucket.keysBelow(`renders/${renderId}/segments/`)
  const body = Buffer.from(bucket.objects.get(key)?.body ?? '')
  body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1
  bucket.put(key, body)
  const assemble = { action: 'assemble', renderId, request, plan, results: [result] }
  await expect(handler(assemble, contextOf())).rejects.toMatchObject({ name: 'VID_LAMBDA_ALTERED' })
  await expect(
    handler({ ...assemble, results: [{ ...(result as ChunkResult), sha256: 'f'.repeat(64) }] }, contextOf()),
  ).rejects.toMatchObject({ name: 'VID_LAMBDA_LOST' })
  expect(bucket.keysBelow('outputs/')).toEqual([])
})

test('a result that would replace what the function needs is refused', async () => {
  const bucket = await openBucket()
  const { siteId } = await putSite(bucket, { 'index.html': growingBar(0.1) })
  const { handler } = await sharedFunction()
  const input = inputOf(siteId, { outputKey: 'sites/film.mp4' })
  await expect(handler(input, contextOf())).rejects.toMatchObject({
    name: 'VID_LAMBDA_CONFIG',
    message: expect.stringContaining('outputKey'),
  })
})

test('a picture of another shape is laid out anew, and one of the same shape is scaled', async () => {
  const bucket = await openBucket()
  const { siteId } = await putSite(bucket, { 'index.html': growingBar(0.1) })
  const { handler } = await sharedFunction()
  const tall = { request: { format: 'mp4', fps: 30, width: 32, height: 64 }, outputKey: 'outputs/tall.mp4' }
  expect((await runWorkflow(inputOf(siteId, tall), handler)).result).toMatchObject({ width: 32, height: 64 })
  const wide = { request: { format: 'mp4', fps: 30, width: 128 }, outputKey: 'outputs/wide.mp4' }
  expect((await runWorkflow(inputOf(siteId, wide), handler)).result).toMatchObject({ width: 128, height: 64 })
  const odd = inputOf(siteId, { request: { format: 'mp4', width: 33 } })
  await expect(handler(odd, contextOf())).rejects.toMatchObject({
    name: 'VID_LAMBDA_CONFIG',
    message: expect.stringContaining('config.width'),
  })
})

test('variables come with the input, or from an object whose digest it names', async () => {
  const bucket = await openBucket()
  const { siteId } = await putSite(bucket, { 'index.html': growingBar(0.1) })
  const { handler } = await sharedFunction()
  const inline = inputOf(siteId, { variables: { color: '#00ff00' } })
  await planOnly(inline, handler)
  const byReference = inputOf(siteId)
  const key = `renders/${byReference.renderId}/variables.json`
  const body = Buffer.from('{"color":"#00ff00"}')
  bucket.put(key, body)
  const variablesObject = { key, sha256: createHash('sha256').update(body).digest('hex') }
  await planOnly({ ...byReference, variablesObject }, handler)
  const planOf = (id: string) => JSON.parse(bucket.objects.get(`renders/${id}/plan.json`)?.body.toString() ?? '').plan
  expect(planOf(byReference.renderId)).toEqual(planOf(inline.renderId))
  expect(planOf(inline.renderId).variables).toEqual({ color: '#00ff00' })
  bucket.put(key, Buffer.from('{"color":"#0000ff"}'))
  await expect(handler({ ...byReference, variablesObject }, contextOf())).rejects.toMatchObject({
    name: 'VID_LAMBDA_ALTERED',
  })
})

test.each([
  ['of another version', { version: '0.0.9' }, 'VID_LAMBDA_FUNCTION_VERSION'],
  ['with a field that it does not know', { hdr: true }, 'VID_LAMBDA_EVENT'],
  ['whose site is not there', {}, 'VID_LAMBDA_SITE_MISSING'],
])('an execution %s is refused before anything starts', async (_, more, code) => {
  const bucket = await openBucket()
  const { handler } = await sharedFunction()
  const input = { ...inputOf('a'.repeat(64)), ...more }
  await expect(handler(input, contextOf())).rejects.toMatchObject({ name: code })
  expect(bucket.keysBelow(`renders/${input.renderId}/`).filter((key) => !key.includes('/calls/'))).toEqual([])
})

test('a call that has no time left ends by itself, says so, and leaves nothing', async () => {
  const bucket = await openBucket()
  const { siteId } = await putSite(bucket, { 'index.html': growingBar(600) })
  const { handler, tempDir } = await sharedFunction()
  const { event } = await planOnly(inputOf(siteId, { reuse: false, chunks: { maxParallelChunks: 1 } }), handler)
  await expect(handler(event, contextOf(2))).rejects.toMatchObject({
    name: 'VID_LAMBDA_DEADLINE',
    message: expect.stringContaining('2 seconds'),
  })
  expect(await readdir(tempDir)).toEqual(['vid-sites'])
})

test('an abandoned render keeps its failure and the records of its calls', async () => {
  const bucket = await openBucket()
  const { siteId } = await putSite(bucket, { 'index.html': growingBar(0.2) })
  const { handler } = await sharedFunction()
  const input = inputOf(siteId)
  await handler(input, contextOf())
  const error = { Error: 'VID_MEDIA_STRICT', Cause: '{"errorMessage":"a source is broken"}' }
  await handler({ action: 'abandon', renderId: input.renderId, error }, contextOf())
  const keys = bucket.keysBelow(`renders/${input.renderId}/`).filter((key) => !key.includes('/calls/'))
  expect(keys).toEqual([`renders/${input.renderId}/failure.json`])
  expect(JSON.parse(bucket.objects.get(keys[0] ?? '')?.body.toString() ?? '')).toMatchObject({ error })
})
