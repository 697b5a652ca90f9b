import { expect, test } from 'vitest'
import { estimateRenderCost, knownPrices } from '../index.ts'

const minute = {
  config: { fps: 30, width: 1920, height: 1080, format: 'mp4' },
  durationSeconds: 60,
  region: 'us-east-1',
}

test('a minute costs cents, in three sizes that are in order, and takes less than a minute', () => {
  const { low, expected, high, usd, seconds, frames, chunks, pricesDate } = estimateRenderCost(minute)
  expect({ frames, chunks, pricesDate }).toEqual({ frames: 1800, chunks: 8, pricesDate: knownPrices.date })
  expect(low.usd).toBeLessThan(expected.usd)
  expect(expected.usd).toBeLessThan(high.usd)
  expect(low.seconds).toBeLessThan(expected.seconds)
  expect(expected.seconds).toBeLessThan(high.seconds)
  expect({ usd, seconds }).toEqual({ usd: expected.usd, seconds: expected.seconds })
  expect(usd).toBeGreaterThan(0.002)
  expect(usd).toBeLessThan(0.1)
  expect(seconds).toBeLessThan(60)
})

test.each([
  ['more frames', { durationSeconds: 600 }],
  ['a larger picture', { config: { ...minute.config, width: 3840, height: 2160 } }],
  ['a format that is harder to encode', { config: { ...minute.config, format: 'webm' } }],
  ['HEVC', { config: { ...minute.config, codec: 'hevc' } }],
  ['AV1', { config: { ...minute.config, codec: 'av1' } }],
  ['frames that were measured to be slower', { secondsPerFrame: 1 }],
  ['more frames a second', { config: { ...minute.config, fps: 60 } }],
])('%s cost more', (_name, over) => {
  expect(estimateRenderCost({ ...minute, ...over }).usd).toBeGreaterThan(estimateRenderCost(minute).usd)
})

test('a codec adds its measured time to each frame of a video, and none to images', () => {
  const billed = (codec: string, format = 'mp4', width = 1920) =>
    estimateRenderCost({ ...minute, config: { ...minute.config, width, format, codec } }).high.billedSeconds
  // 10,240 MB have 5.8 processors, of which a chunk of two segments keeps 3 busy, at half the measured speed.
  expect(billed('hevc') - billed('h264')).toBeCloseTo((1800 * 0.393) / 3 / 0.5)
  expect(billed('av1', 'hls')).toBeGreaterThan(billed('h264', 'hls'))
  expect(billed('hevc', 'mp4', 960) - billed('h264', 'mp4', 960)).toBeCloseTo((1800 * 0.393) / 2 / 3 / 0.5)
  expect(billed('hevc', 'png-sequence')).toBe(billed('h264', 'png-sequence'))
})

test('more chunks end sooner and cost more: each has its start', () => {
  const config = { ...minute.config, chunkSize: 1800 }
  const one = estimateRenderCost({ ...minute, config })
  const eight = estimateRenderCost(minute)
  expect([one.chunks, eight.chunks]).toEqual([1, 8])
  expect(eight.seconds).toBeLessThan(one.seconds)
})

test('images are put one by one, which is paid for', () => {
  const config = { ...minute.config, format: 'png-sequence' }
  expect(estimateRenderCost({ ...minute, config }).expected.byPart.s3Requests).toBeGreaterThan(1800 * 0.000005)
})

test('an hls video that is published while it is rendered costs a call more, which lasts as long as a chunk', () => {
  const estimateOf = (growing: boolean) =>
    estimateRenderCost({ ...minute, config: { ...minute.config, format: 'hls', growing } }).expected
  const mp4 = estimateRenderCost(minute).expected
  expect(estimateOf(false).billedSeconds).toBe(mp4.billedSeconds)
  const { usd, byPart, billedSeconds, seconds } = estimateOf(true)
  expect(byPart.calls / mp4.byPart.calls).toBeCloseTo(11 / 10)
  expect(billedSeconds - mp4.billedSeconds).toBeGreaterThan(seconds / 2)
  expect(usd).toBeGreaterThan(estimateOf(false).usd)
})

test('frames are counted from the exact frame rate, or given', () => {
  const config = { ...minute.config, fps: '30000/1001' }
  expect(estimateRenderCost({ ...minute, config }).frames).toBe(1798)
  expect(estimateRenderCost({ ...minute, config, totalFrames: 42 }).frames).toBe(42)
})

test('a render whose chunks may take more than 15 minutes is said to', () => {
  const config = { ...minute.config, format: 'webm', width: 3840, height: 2160 }
  expect(estimateRenderCost({ ...minute, config, durationSeconds: 3600 }).mayTakeTooLong).toBe(true)
  expect(estimateRenderCost(minute).mayTakeTooLong).toBe(false)
})

test('prices of one’s own are used', () => {
  const prices = {
    date: '2030-01-01',
    regions: { 'moon-1': { ...(knownPrices.regions['us-east-1'] ?? expect.fail()), computeGbSecond: 1 } },
  }
  const estimate = estimateRenderCost({ ...minute, region: 'moon-1', prices: prices })
  expect(estimate.pricesDate).toBe('2030-01-01')
  expect(estimate.expected.byPart.compute).toBeCloseTo(estimate.expected.billedSeconds * 10)
})

test.each([
  ['fps', { config: { fps: 0 } }],
  ['fps', { config: { fps: 'fast' } }],
  ['durationSeconds', { durationSeconds: 0 }],
  ['durationSeconds', { durationSeconds: Number.NaN }],
  ['totalFrames', { totalFrames: 1.5 }],
])('%s that cannot be is refused by its name', (field, over) => {
  expect(() => estimateRenderCost({ ...minute, ...over })).toThrow(
    expect.objectContaining({
      code: 'VID_LAMBDA_CONFIG',
      message: expect.stringMatching(new RegExp(`^${field} `)),
    }),
  )
})
