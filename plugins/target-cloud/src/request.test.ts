import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CloudRenderSchema } from '@vid/client/contract'
import { checkRequest, checkTarget, type RenderRequest, schemaProblems, Value } from '@vid/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { cloudBodyOf } from './body.ts'
import cloud from './index.ts'
import { chooseResolution } from './size.ts'

const base = { projectDir: '/p', output: '/o/v.mp4' }

/** What the target refuses of a request. */
const refusals = (request: RenderRequest, options: Parameters<typeof cloud>[0] = {}): readonly string[] => {
  try {
    checkTarget(cloud(options), request)
    return []
  } catch (thrown) {
    return (thrown as { facts: { problems: readonly string[] } }).facts.problems
  }
}

test('what a request can say of the API travels, and the default of everything else is not refused', () => {
  const request = checkRequest({
    ...base,
    entry: 'a.html',
    format: 'webm',
    quality: 'high',
    fps: '29.97',
    force: true,
    workers: 3,
    variables: { a: [1] },
    strictVariables: true,
    network: 'declared',
    strict: true,
  })
  expect(refusals(request)).toEqual([])
  expect(refusals(checkRequest(base))).toEqual([])
  const body = cloudBodyOf(request, 'asset_1', '1080p')
  expect(body).toEqual({
    project: { type: 'asset_id', asset_id: 'asset_1' },
    composition: 'a.html',
    format: 'webm',
    quality: 'high',
    fps: 29.97,
    resolution: '1080p',
    variables: { a: [1] },
    strict_variables: true,
  })
  expect(schemaProblems(CloudRenderSchema, Value.Default(CloudRenderSchema, Value.Clone(body)))).toEqual([])
})

test('the sizes of an hls video travel', () => {
  const request = checkRequest({ ...base, output: '/o/v', format: 'hls', ladder: '720,480' })
  expect(refusals(request)).toEqual([])
  expect(cloudBodyOf(request, 'asset_1', '1080p')).toMatchObject({ format: 'hls', ladder: '720,480' })
})

test('captions in the video travel', () => {
  const request = checkRequest({ ...base, captions: 'track,burn' })
  expect(refusals(request)).toEqual([])
  expect(cloudBodyOf(request, 'asset_1', '1080p')).toMatchObject({ captions: 'burn,track' })
})

const cases: readonly (readonly [string, Partial<RenderRequest>])[] = [
  ['gif', { format: 'gif' }],
  ['png-sequence', { format: 'png-sequence' }],
  ['ladder', { ladder: '720' }],
  ['captions', { captions: 'sidecar' }],
  ['several outputs', { outputs: [{ format: 'webm', output: '/o/v.webm' }] }],
  ['scale', { scale: 2 }],
  ['from', { from: '1s' }],
  ['to', { to: '2s' }],
  ['crf', { crf: 20 }],
  ['videoBitrate', { videoBitrate: '5M' }],
  ['hdr', { hdr: true }],
  ['sdr', { sdr: true }],
  ['gpu', { gpu: true }],
  ['browserGpu', { browserGpu: true }],
  ['raster native', { raster: 'native' }],
  ['frames a second', { fps: '100/3' }],
  ['network none', { network: 'none' }],
  ['segmentFrames', { segmentFrames: 30 }],
  ['videoFrameFormat', { videoFrameFormat: 'png' }],
]

test.each(cases)('%s is refused by its name', (word, change) => {
  expect(refusals(checkRequest({ ...base, ...change }))).toEqual([expect.stringContaining(word)])
})

test('4k in another format than mp4 is refused', () => {
  const webm = checkRequest({ ...base, format: 'webm' })
  expect(refusals(webm, { resolution: '4k' })).toEqual([expect.stringContaining('4k')])
})

const projectOf = async (width: number, height: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'target-cloud-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const root = `<div data-composition-id="a" data-width="${width}" data-height="${height}" data-duration="1"></div>`
  await writeFile(join(folder, 'index.html'), root)
  return folder
}

const choose = async (
  [width, height]: readonly [number, number],
  change: Partial<RenderRequest> = {},
  resolution: 'auto' | '1080p' | '4k' = 'auto',
) => {
  const projectDir = await projectOf(width, height)
  const request = checkRequest({ ...base, projectDir, ...change })
  const { signal } = new AbortController()
  return chooseResolution(request, { projectDir, resolution, signal }).catch(
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  )
}

test('a picture of one of the two sizes keeps it, and any other is refused rather than scaled in silence', async () => {
  expect(await choose([1920, 1080])).toBe('1080p')
  expect(await choose([1080, 1920])).toBe('1080p')
  expect(await choose([3840, 2160])).toBe('4k')
  expect(await choose([1280, 720])).toMatch(/VID_API_SIZE: .*1280x720.*its own size/)
  expect(await choose([3840, 2160], { format: 'webm' })).toMatch(/VID_API_SIZE: .*webm/)
})

test('the size of the request counts, in the shape of the composition', async () => {
  expect(await choose([1280, 720], { resolution: '3840x2160' })).toBe('4k')
  expect(await choose([1280, 720], { resolution: '640x360' })).toMatch(/VID_API_SIZE: .*640x360/)
  expect(await choose([1280, 720], { resolution: '1080x1080' })).toMatch(/another shape, 1280x720/)
  expect(await choose([1280, 720], { resolution: '3840x2160' }, '1080p')).toMatch(/options of the target say 1080p/)
})

test('where the options name a resolution, any composition is scaled to it', async () => {
  expect(await choose([1280, 720], {}, '4k')).toBe('4k')
})
