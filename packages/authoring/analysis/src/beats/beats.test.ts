import { SAMPLE_RATE } from '@vid/ffmpeg'
import { describe, expect, test } from 'vitest'
import { createOnsetStrength } from './onset-strength.ts'
import { trackBeats } from './track-beats.ts'

const SECONDS = 16

/** Seconds at which the first beat is heard. */
const FIRST = 0.3

type Signal = (seconds: number, sinceBeat: number, beat: number) => number

/** Random numbers that are the same in each run. */
const createNoise = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 31 - 1
}

const noise = createNoise(5)

/** A short tone on each beat. */
const click: Signal = (_, sinceBeat) =>
  sinceBeat < 0.02 ? 0.8 * Math.exp(-200 * sinceBeat) * Math.sin(2 * Math.PI * 1500 * sinceBeat) : 0

/** A bass drum on each beat, a snare on each second one, a cymbal twice as often, and a chord that changes. */
const loop: Signal = (seconds, sinceBeat, beat) => {
  const chord = [0, 4, 7].reduce(
    (sum, step) => sum + 0.05 * Math.sin(2 * Math.PI * 196 * 2 ** ((step + (Math.floor(beat / 4) % 3)) / 12) * seconds),
    0,
  )
  const drum =
    0.6 * Math.exp(-18 * sinceBeat) * Math.sin(2 * Math.PI * (48 * sinceBeat + 1.5 * (1 - Math.exp(-40 * sinceBeat))))
  const snare = beat % 2 === 1 ? 0.3 * Math.exp(-25 * sinceBeat) * noise() : 0
  return chord + drum + snare
}

/** A sound with `signal` on the beats of a tempo, and a cymbal on the eighths where `hasEighths` says so. */
const beatsOf = (tempo: number, signal: Signal, hasEighths: boolean) => {
  const strength = createOnsetStrength()
  const length = 60 / tempo
  for (let sample = 0; sample < SECONDS * SAMPLE_RATE; sample++) {
    const seconds = sample / SAMPLE_RATE
    const since = seconds - FIRST
    const eighth = ((since % (length / 2)) + length / 2) % (length / 2)
    const cymbal = hasEighths && since >= 0 ? 0.1 * Math.exp(-80 * eighth) * noise() : 0
    strength.add(since < 0 ? 0 : cymbal + signal(seconds, since % length, Math.floor(since / length)))
  }
  return trackBeats(strength.result())
}

/** Seconds of the beats of a tempo. */
const expectedBeats = (tempo: number) =>
  Array.from({ length: Math.ceil(((SECONDS - FIRST) * tempo) / 60) }, (_, beat) => FIRST + (beat * 60) / tempo)

describe.each([90, 120, 128, 140])('at %i beats a minute', (bpm) => {
  test.each([
    ['clicks', click, false],
    ['a loop', loop, true],
  ] as const)('each beat of %s is found within 30 ms', (_, signal, hasEighths) => {
    const { tempo, beats } = beatsOf(bpm, signal, hasEighths)
    expect(tempo).toBeCloseTo(bpm, 0)
    const expected = expectedBeats(bpm)
    // A beat that is cut off by the end may be left out.
    expect(Math.abs(beats.length - expected.length)).toBeLessThanOrEqual(1)
    for (const [index, beat] of beats.entries()) expect(Math.abs(beat - (expected[index] ?? 0))).toBeLessThan(0.03)
  })
})

test('silence and a steady tone have no beats', () => {
  for (const level of [0, 0.3]) {
    const strength = createOnsetStrength()
    for (let sample = 0; sample < 4 * SAMPLE_RATE; sample++) strength.add(level * Math.sin(sample / 20))
    expect(trackBeats(strength.result())).toEqual({ tempo: null, beats: [] })
  }
})
