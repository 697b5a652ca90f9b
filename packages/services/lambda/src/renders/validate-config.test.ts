import { expect, test } from 'vitest'
import { isInvalidConfig, type RenderConfig, validateRenderConfig } from '../index.ts'
import { chunkSettingsOf, requestOf } from './validate-config.ts'

const errorFor = (
  config: unknown,
  ...facts: Parameters<typeof validateRenderConfig> extends [unknown, ...infer R] ? R : never
) => {
  try {
    validateRenderConfig(config as RenderConfig, ...facts)
  } catch (thrown) {
    if (isInvalidConfig(thrown)) return thrown
    throw thrown
  }
  return undefined
}

test.each<[string, RenderConfig]>([
  ['nothing', {}],
  ['the example of the specification', { fps: 30, width: 1920, height: 1080, format: 'mp4', variables: { a: 'b' } }],
  ['a television rate', { fps: '30000/1001' }],
  ['all settings of chunks', { chunkSize: 240, targetChunkFrames: 100, maxParallelChunks: 1000 }],
  ['settings of quality', { quality: 'high', crf: 0, gifLoop: 0, sdr: true }],
  ['a stream', { format: 'hls', ladder: '720,480', codec: 'hevc', captions: 'track', growing: true }],
  ['a shape and a poster', { shapes: '9:16', poster: '40%', width: 1080, growing: false }],
  ['a range', { from: '1.5s', to: '90f', entry: 'scenes/intro.html', scale: '1/3' }],
  ['no HDR, in so many words', { hdr: false } as RenderConfig],
])('%s is accepted', (_, config) => {
  expect(errorFor(config)).toBeUndefined()
})

test.each<[unknown, string]>([
  [{ chunkSize: 0 }, 'config.chunkSize'],
  [{ chunkSize: 1.5 }, 'config.chunkSize'],
  [{ chunkSize: '240' }, 'config.chunkSize'],
  [{ maxParallelChunks: 100_000 }, 'config.maxParallelChunks'],
  [{ maxParallelChunks: Number.NaN }, 'config.maxParallelChunks'],
  [{ maxParallelChunks: null }, 'config.maxParallelChunks'],
  [{ targetChunkFrames: -1 }, 'config.targetChunkFrames'],
  [{ targetChunkFrames: Number.POSITIVE_INFINITY }, 'config.targetChunkFrames'],
  [{ fps: 0 }, 'config.fps'],
  [{ fps: 241 }, 'config.fps'],
  [{ fps: '1/0' }, 'config.fps'],
  [{ width: 0 }, 'config.width'],
  [{ height: 16_385 }, 'config.height'],
  [{ quality: 'best' }, 'config.quality'],
  [{ crf: 52 }, 'config.crf'],
  [{ videoBitrate: '10 M' }, 'config.videoBitrate'],
  [{ entry: '../other/index.html' }, 'config.entry'],
  [{ entry: '.hidden.html' }, 'config.entry'],
  [{ variables: [] }, 'config.variables'],
  [{ reuse: 'yes' }, 'config.reuse'],
  [{ hdr: true }, 'config.hdr'],
  [{ codec: 'vp9' }, 'config.codec'],
  [{ ladder: '721' }, 'config.ladder'],
  [{ shapes: '16:9,9:16' }, 'config.shapes'],
  [{ shapes: 'tall' }, 'config.shapes'],
  [{ poster: 'soon' }, 'config.poster'],
  [{ captions: 'track,sidecar' }, 'config.captions'],
  [{ growing: true }, 'config.growing'],
  [{ format: 'hls', growing: 'yes' }, 'config.growing'],
  [{ gpu: true }, 'config.gpu'],
  [{ workers: 2 }, 'config.workers'],
  [{ frames: 3 }, 'config.frames'],
  [{ constructor: 3 }, 'config.constructor'],
  [{ crf: 18, videoBitrate: '5M' }, 'config.videoBitrate'],
  [{ variables: {}, variablesFile: 'v.json' }, 'config.variablesFile'],
  [{ scale: 2, width: 100 }, 'config.width'],
  [null, 'config'],
  [[], 'config'],
  ['mp4', 'config'],
])('%j is refused with the field %s', (config, field) => {
  const error = errorFor(config)
  expect(error).toMatchObject({ code: 'VID_LAMBDA_CONFIG', field, fault: 'caller' })
  expect(error?.problems).toEqual([{ field, problem: expect.stringMatching(/^[\w ]+/) }])
})

test('what JSON cannot hold is refused in any field', () => {
  expect(errorFor({ variables: { big: 1n } })).toMatchObject({ field: 'config.variables' })
  expect(errorFor({ fps: 30n })).toMatchObject({ field: 'config.fps' })
  const circle: Record<string, unknown> = {}
  circle.self = circle
  expect(errorFor({ variables: circle })).toMatchObject({ field: 'config.variables' })
})

test.each<[string, unknown]>([
  ['NaN', { size: { factor: Number.NaN } }],
  ['a function', { size: { factor: () => 1 } }],
  ['half a character', { size: { factor: '\ud83c' } }],
  ['half a character in a name', { size: { '\ud83c': 1 } }],
])('values that would be others on their way are refused: %s', (_, variables) => {
  expect(errorFor({ variables })).toMatchObject({
    field: 'config.variables',
    message: expect.stringContaining('size.'),
  })
})

test('all fields that cannot be used are named together', () => {
  const error = errorFor({ fps: 0, chunkSize: 0, hdr: true })
  expect(error?.problems.map(({ field }) => field)).toEqual(['config.fps', 'config.chunkSize', 'config.hdr'])
  for (const field of ['config.fps', 'config.chunkSize', 'config.hdr']) expect(error?.message).toContain(field)
})

test('with the frames, what Lambda cannot do is refused', () => {
  const composition = { totalFrames: 30 * 60 * 60 * 5, width: 1920, height: 1080 }
  expect(errorFor({ maxParallelChunks: 1 }, composition)).toMatchObject({ field: 'config.maxParallelChunks' })
  expect(errorFor({ format: 'gif' }, { ...composition, totalFrames: 1_000_000 })).toMatchObject({
    code: 'VID_LAMBDA_CONFIG',
  })
  expect(errorFor({}, { totalFrames: 300, width: 1920, height: 1080 })).toBeUndefined()
})

test('the request has exact values, and leaves to the function what the config leaves out', () => {
  expect(requestOf({ fps: 29.97, scale: 0.5, chunkSize: 3, variables: { a: 1 } })).toEqual({
    format: 'mp4',
    fps: '30000/1001',
    scale: '1/2',
  })
  expect(chunkSettingsOf({ chunkSize: 3 })).toEqual({ chunkSize: 3, maxParallelChunks: 16 })
})

test('what is refused is known by its name, in programs that load another copy of this package too', () => {
  const error = errorFor({ fps: 29.5, hdr: true })
  expect(error).toMatchObject({ name: 'InvalidConfigError', code: 'VID_LAMBDA_CONFIG', field: 'config.fps' })
  expect(error?.message).toContain('it must be a whole number from 1 to 240')
  expect(error?.hint).not.toContain('another')
})
