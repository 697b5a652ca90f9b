import { join } from 'node:path'
import { expect, test } from 'vitest'
import { partOf } from '../../../../../scripts/dev/part-of.ts'
import { readEbur128 } from '../fixtures/ebur128.ts'
import { scratch } from '../fixtures/sliding-bar.ts'
import { createNoise, writeWav } from '../fixtures/tones.ts'
import { SAMPLE_RATE } from '../index.ts'
import { measureLoudness } from './measure-loudness.ts'

const { signal } = new AbortController()
const SECONDS = 8

/** Samples in which a signal comes and goes. */
const FADE = 2400

type Signal = (seconds: number) => readonly [left: number, right: number]

const both = (value: number) => [value, value] as const
const sine =
  (frequency: number, level: number, phase = 0): Signal =>
  (seconds) =>
    both(level * Math.sin(2 * Math.PI * frequency * seconds + phase))

const noise = createNoise(7)
const other = createNoise(11)
let brown = 0

/** Signals of all kinds: tones, peaks between samples, noise, speech-like bursts, clipped and quiet ones. */
const SIGNALS: Readonly<Record<string, Signal>> = {
  'a tone': sine(997, 0.5),
  'a low tone': sine(63, 0.8),
  'a high tone': sine(9000, 0.3),
  'a quarter of the rate, between its samples': sine(SAMPLE_RATE / 4, 0.9, Math.PI / 4),
  'white noise': () => [0.3 * noise(), 0.3 * other()],
  'brown noise': () => {
    brown = 0.995 * brown + 0.02 * noise()
    return both(brown)
  },
  'bursts with pauses': (seconds) => both(seconds % 1 < 0.4 ? 0.6 * Math.sin(2 * Math.PI * 440 * seconds) : 0),
  'left alone': (seconds) => [0.4 * Math.sin(2 * Math.PI * 1000 * seconds), 0],
  'a clipped tone': (seconds) => both(Math.max(-0.7, Math.min(0.7, 1.6 * Math.sin(2 * Math.PI * 1321 * seconds)))),
  'quiet, then loud': (seconds) => both((seconds < 5 ? 0.01 : 0.5) * Math.sin(2 * Math.PI * 700 * seconds)),
}

test.each(partOf(Object.entries(SIGNALS), 4))('loudness and true peak of %s are those of ffmpeg', async (_, at) => {
  const samples = SECONDS * SAMPLE_RATE
  let sides: readonly number[] = []
  const signalAt = (sample: number, channel: number) => {
    if (channel === 0) sides = at(sample / SAMPLE_RATE)
    // What begins or ends at once has peaks that depend on what a measurement takes for the sound before it.
    return (sides[channel] ?? 0) * Math.min(1, sample / FADE, (samples - 1 - sample) / FADE)
  }
  const file = await writeWav(join(await scratch(), 'sound.wav'), signalAt, { seconds: SECONDS })
  const [sound, reference] = await Promise.all([measureLoudness(file, signal), readEbur128(file)])
  expect(Math.abs((sound.integrated ?? 0) - reference.integrated)).toBeLessThanOrEqual(0.1)
  expect(Math.abs((sound.truePeak ?? 0) - reference.truePeak)).toBeLessThanOrEqual(0.2)
})
