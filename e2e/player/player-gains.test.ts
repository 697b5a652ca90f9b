import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { SAMPLE_RATE } from '@vid/ffmpeg'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OFFLINE_DEVICE, playOffline } from '../support/offline-device.ts'
import { openPlayer, startBrowser } from '../support/player-site.ts'
import { amplitude, onset, readSound, type Sound, writeTone } from '../support/sound.ts'
import { here, scratch, vid } from '../support/vid.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** The tones of the project in hertz: each has whole periods in 10 ms. */
const TONES = [400, 900, 1500] as const

/** Samples in which all tones have whole periods. */
const PERIOD = SAMPLE_RATE / 100

/** The level below which a tone is silence, in dB of its source: an encoder keeps nothing exactly down there. */
const SILENCE = -30

/** Fades, keyframes, ducking, buses and sides, each at a tone of its own. */
const makeProject = async (): Promise<string> => {
  const project = join(await scratch(), 'attribute-sound')
  await cp(here('projects/attribute-sound'), project, { recursive: true })
  await writeTone(join(project, 'low.wav'), TONES[0], 5)
  await writeTone(join(project, 'middle.wav'), TONES[1], 1)
  await writeTone(join(project, 'high.wav'), TONES[2], 1)
  return project
}

/** By how many samples a sound is later than another, up to half a period of all tones beside where both begin. */
const delayBetween = (earlier: Float32Array, later: Float32Array): number => {
  const near = Math.round((onset(later, 0.1) - onset(earlier, 0.1)) * SAMPLE_RATE)
  const likeness = (delay: number) =>
    earlier.reduce((sum, value, index) => sum + value * (later[index + delay] ?? 0), 0)
  const delays = Array.from({ length: PERIOD }, (_, index) => near + index - PERIOD / 2)
  return delays.reduce(
    (best, delay) => {
      const like = likeness(delay)
      return like > best.like ? { delay, like } : best
    },
    { delay: near, like: Number.NEGATIVE_INFINITY },
  ).delay
}

/** The level of a tone on a side in the 40 ms from a sample on, in dB of its source. */
const levelAt = (sound: Sound, side: 0 | 1, from: number, hertz: number): number =>
  20 * Math.log10(amplitude(sound[side].subarray(from, from + 4 * PERIOD), hertz) / 0.5)

test('fades, keyframes, ducking, buses and sides are played as they are rendered, to 0.2 dB', async () => {
  const project = await makeProject()
  const file = join(await scratch(), 'out.mp4')
  const run = await vid(['render', project, '-o', file, '--fps', '30'])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const rendered = await readSound(file)
  const heard = await playOffline(await openPlayer(browser, project, '', OFFLINE_DEVICE))
  const delay = delayBetween(rendered[0], heard[0])
  // What is due before the device is ready is not played.
  const first = heard[0].findIndex((value) => value !== 0) - delay
  expect(first).toBeLessThan(0.9 * SAMPLE_RATE)
  const compared = TONES.map(() => 0)
  const places: string[] = []
  for (let from = Math.ceil(first / PERIOD) * PERIOD; from < 4.94 * SAMPLE_RATE; from += 2 * PERIOD)
    for (const side of [0, 1] as const)
      for (const [index, hertz] of TONES.entries()) {
        const level = levelAt(rendered, side, from, hertz)
        const played = levelAt(heard, side, from + delay, hertz)
        const isSilent = level < SILENCE
        if (!isSilent) compared[index] = (compared[index] ?? 0) + 1
        if (isSilent ? played > SILENCE + 1 : Math.abs(played - level) >= 0.2)
          places.push(`${hertz} Hz on side ${side} at ${from / SAMPLE_RATE} s: ${level} rendered, ${played} played`)
      }
  expect(places).toEqual([])
  const [low, middle, high] = compared
  expect(low).toBeGreaterThan(390)
  expect(middle).toBeGreaterThan(90)
  expect(high).toBeGreaterThan(90)
})
