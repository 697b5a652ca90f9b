import { checkRequest, checkTarget, type RenderRequest } from '@vid/kernel'
import { expect, test } from 'vitest'
import { configOf } from './config.ts'
import lambda from './index.ts'

const base = { projectDir: '/p', output: '/o/v.mp4' }

/** What the target refuses of a request. */
const refusals = (request: RenderRequest): readonly string[] => {
  try {
    checkTarget(lambda(), request)
    return []
  } catch (thrown) {
    return (thrown as { facts: { problems: readonly string[] } }).facts.problems
  }
}

test('what a request can say of a render on AWS travels, and nothing of it is refused', () => {
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
    resolution: '640x360',
    from: '1s',
    to: '2s',
    sdr: true,
  })
  expect(refusals(request)).toEqual([])
  expect(refusals(checkRequest(base))).toEqual([])
  const stream = {
    format: 'hls',
    codec: 'hevc',
    ladder: '720',
    captions: 'track',
    poster: '40%',
    shapes: '9:16',
  } as const
  expect(refusals(checkRequest({ ...base, ...stream }))).toEqual([])
  expect(configOf(checkRequest({ ...base, ...stream }), {})).toMatchObject({ ...stream, growing: false })
  expect(configOf(request, { chunkSize: 120, maxParallelChunks: 40 })).toMatchObject({
    entry: 'a.html',
    format: 'webm',
    quality: 'high',
    fps: '30000/1001',
    network: 'declared',
    width: 640,
    height: 360,
    from: '1s',
    to: '2s',
    sdr: true,
    strictVariables: true,
    chunkSize: 120,
    maxParallelChunks: 40,
  })
})

const cases: readonly (readonly [string, Partial<RenderRequest>])[] = [
  ['several outputs', { outputs: [{ format: 'webm', output: '/o/v.webm' }] }],
  ['hdr', { hdr: true }],
  ['gpu', { gpu: true }],
  ['raster native', { raster: 'native' }],
  ['segmentFrames', { segmentFrames: 30 }],
  ['captions', { captions: 'sidecar' }],
  ['shapes', { shapes: '9:16,1:1' }],
  ['width', { resolution: '99999x10' }],
]

test.each(cases)('%s is refused by its name', (word, change) => {
  expect(refusals(checkRequest({ ...base, ...change }))).toEqual([expect.stringContaining(word)])
})
