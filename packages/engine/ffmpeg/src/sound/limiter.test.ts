import { expect, test } from 'vitest'
import { createLimiter, LIMITER_DELAY } from './limiter.ts'
import { CHANNELS, SAMPLE_RATE } from './sound-reader.ts'
import { createTruePeak } from './true-peak.ts'

const CEILING = 0.8

/** Stereo samples of a signal, the right side at half of the level. */
const soundOf = (samples: number, signal: (sample: number) => number): Float32Array =>
  Float32Array.from({ length: samples * CHANNELS }, (_, n) => signal(n >> 1) * (n % 2 === 0 ? 1 : 0.5))

/** What comes out of a limiter, taken in pieces of so many samples. */
const limited = (sound: Float32Array, { factor = 1, piece = 4096 } = {}): Float32Array => {
  const limit = createLimiter({ factor, ceiling: CEILING })
  const input = new Float32Array(sound.length + LIMITER_DELAY * CHANNELS)
  input.set(sound)
  const result = new Float32Array(input.length)
  for (let from = 0; from < input.length; from += piece * CHANNELS)
    result.set(limit(input.subarray(from, from + piece * CHANNELS)), from)
  return result.subarray(LIMITER_DELAY * CHANNELS)
}

const truePeakOf = (sound: Float32Array): number => {
  const meter = createTruePeak()
  for (let n = 0; n < sound.length; n += CHANNELS) meter.add(sound[n] ?? 0, sound[n + 1] ?? 0)
  return meter.result().peak
}

const tone =
  (hertz: number, level: number, phase = 0) =>
  (sample: number) =>
    level * Math.sin((2 * Math.PI * hertz * sample) / SAMPLE_RATE + phase)

test('what is below the ceiling is multiplied and nothing else', () => {
  const sound = soundOf(20_000, tone(440, 0.3))
  expect(limited(sound, { factor: 2 })).toEqual(sound.map((value) => 2 * value))
})

test('no level between samples is above the ceiling, in peaks of all kinds', () => {
  const kinds = {
    'a loud tone': tone(997, 3),
    'a quarter of the rate, between its samples': tone(SAMPLE_RATE / 4, 1.2, Math.PI / 4),
    'one sample': (sample: number) => (sample === 5000 ? 9 : 0),
    'the first sample': (sample: number) => (sample === 0 ? 9 : 0),
    'the last sample': (sample: number) => (sample === 9999 ? 9 : 0),
    'a square': (sample: number) => (sample % 100 < 50 ? 2 : -2),
    'a burst in a quiet tone': (sample: number) => tone(300, sample > 4000 && sample < 6000 ? 4 : 0.1)(sample),
  }
  for (const [name, signal] of Object.entries(kinds)) {
    const sound = soundOf(10_000, signal)
    expect(truePeakOf(sound), name).toBeGreaterThan(CEILING)
    const peak = truePeakOf(limited(sound))
    expect(peak, name).toBeLessThan(CEILING * 1.01)
    expect(peak, name).toBeGreaterThan(CEILING * 0.85)
  }
})

test('both sides are turned down together, early enough, and come back', () => {
  const sound = limited(soundOf(SAMPLE_RATE, (sample) => (sample === 10_000 ? 8 : 0.5)))
  const left = (sample: number) => sound[sample * CHANNELS] ?? 0
  const right = (sample: number) => sound[sample * CHANNELS + 1] ?? 0
  expect(left(9_000)).toBeCloseTo(0.5, 5)
  expect(left(9_990)).toBeLessThan(0.1)
  expect(left(11_000)).toBeLessThan(0.3)
  expect(left(40_000)).toBeCloseTo(0.5, 3)
  for (const sample of [9_900, 9_990, 10_500]) expect(right(sample)).toBeCloseTo(left(sample) / 2, 6)
})

test('pieces of any size give the same samples', () => {
  const sound = soundOf(8_000, (sample) => tone(70, 1.5)(sample) + tone(5_000, 0.7)(sample))
  const whole = limited(sound, { piece: sound.length })
  for (const piece of [1, 100, 4097]) expect(limited(sound, { piece })).toEqual(whole)
})
