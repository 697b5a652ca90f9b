import { join } from 'node:path'
import { createPool, type PlanContext, type SharedPool } from '@vid/kernel'
import type { MediaTrack, RenderPlan, Warning } from '@vid/protocol'
import { expect, test } from 'vitest'
import { partOf } from '../../../../../scripts/dev/part-of.ts'
import { readEbur128 } from '../fixtures/ebur128.ts'
import { scratch } from '../fixtures/sliding-bar.ts'
import { createNoise, readMix, type Signal, tone, writeWav } from '../fixtures/tones.ts'
import { findFfmpeg, readSource, runProcess, SAMPLE_RATE } from '../index.ts'
import { mixPlan } from './audio-mixer.ts'
import { planLoudness } from './plan-loudness.ts'

const SECONDS = 3
const TARGET = -14

const noise = createNoise(7)
let brown = 0

/** A chord with a bass drum and a cymbal at 120 beats a minute. */
const music: Signal = (sample) => {
  const seconds = sample / SAMPLE_RATE
  const inBeat = seconds % 0.5
  const chord = [220, 277.2, 329.6].reduce((sum, hertz) => sum + 0.06 * Math.sin(2 * Math.PI * hertz * seconds), 0)
  const drum = 0.7 * Math.exp(-20 * inBeat) * Math.sin(2 * Math.PI * (50 + 60 * Math.exp(-40 * inBeat)) * inBeat)
  return chord + drum + 0.08 * Math.exp(-60 * (seconds % 0.25)) * noise()
}

/** Syllables of a low voice with its overtones, and pauses between words. */
const speech: Signal = (sample) => {
  const seconds = sample / SAMPLE_RATE
  const syllable = Math.max(0, Math.sin(2 * Math.PI * 4 * seconds)) * (seconds % 1.5 < 1 ? 1 : 0)
  return (
    syllable *
    [1, 2, 3, 5, 8, 13].reduce(
      (sum, part) => sum + (0.05 / Math.sqrt(part)) * Math.sin(2 * Math.PI * 130 * part * seconds),
      0,
    )
  )
}

const times =
  (factor: number, signal: Signal): Signal =>
  (sample, channel) =>
    factor * signal(sample, channel)

/** Compositions of all kinds, by what is heard. */
const SIGNALS: Readonly<Record<string, { readonly signal: Signal; readonly channels?: number }>> = {
  music: { signal: music },
  speech: { signal: speech },
  'quiet music': { signal: times(0.01, music) },
  'music above full scale': { signal: times(4, music) },
  'a mono voice': { signal: times(0.3, speech), channels: 1 },
  'sound, silence, sound': {
    signal: (sample) => (Math.floor(sample / SAMPLE_RATE) % 2 === 0 ? music(sample, 0) : 0),
  },
  'a low tone': { signal: tone(55, 0.2) },
  'rumbling noise': {
    signal: () => {
      brown = 0.995 * brown + 0.01 * noise()
      return brown
    },
  },
  'the left side alone': { signal: (sample, channel) => (channel === 0 ? speech(sample, 0) : 0) },
  'clicks over a quiet tone': {
    signal: (sample) => tone(500, 0.05)(sample, 0) + (sample % 12_000 < 24 ? 0.9 : 0),
  },
}

const { signal } = new AbortController()

/** The plan of a composition that one sound is heard in, and the warnings of planning it. */
const planComposition = async (file: string, loudness: number | 'off' = TARGET, sounds?: SharedPool) => {
  const { digest, duration, sound } = await readSource(file)
  const source = { digest, duration, sound, picture: null }
  const place = { id: 'm0', kind: 'audio', src: 'sound', start: 0, end: SECONDS, mediaStart: 0, rate: 1 } as const
  const track: MediaTrack = { ...place, loop: false, volume: 1, muted: false, hasAudio: null, source }
  const draft = { frames: SECONDS * 30, fps: 30, audio: [track] } as unknown as RenderPlan
  const warnings: Warning[] = []
  let reads = 0
  const sources = {
    async file() {
      reads += 1
      return file
    },
  }
  const warn = (warning: Warning) => warnings.push(warning)
  const request = { loudness, projectDir: '/p' }
  const context = { request, sources, sounds, signal, warn, workDir: await scratch() } as unknown as PlanContext
  return { plan: await planLoudness(draft, context), warnings, sources, reads: () => reads }
}

/** The sound of a plan, as a render mixes it. */
const mix = async ({ plan, sources }: Pick<Awaited<ReturnType<typeof planComposition>>, 'plan' | 'sources'>) => {
  const path = join(await scratch(), 'sound')
  const { file } = await mixPlan({ plan, sources, path, signal, warn: () => {} })
  return file ?? ''
}

const CODECS = {
  'aac.m4a': ['-c:a', 'aac', '-b:a', '192k'],
  'opus.webm': ['-c:a', 'libopus', '-b:a', '128k'],
} as const

test.each(partOf(Object.entries(SIGNALS), 4))(
  '%s has the requested loudness and true peak in the encoded file',
  async (_, kind) => {
    const folder = await scratch()
    const { channels = 2 } = kind
    const composition = await planComposition(
      await writeWav(join(folder, 'source.wav'), kind.signal, { seconds: SECONDS, channels }),
    )
    expect(composition.warnings).toEqual([])
    const mixed = await mix(composition)
    const { ffmpeg } = await findFfmpeg()
    for (const [name, args] of Object.entries(CODECS)) {
      const file = join(folder, name)
      await runProcess(ffmpeg, ['-v', 'error', '-i', mixed, ...args, file], signal)
      const { integrated, truePeak } = await readEbur128(file)
      expect(Math.abs(integrated - TARGET), `${name}: ${integrated} LUFS`).toBeLessThanOrEqual(0.2 + 1e-9)
      expect(truePeak, `${name}: ${truePeak} dBTP`).toBeLessThanOrEqual(-1)
    }
  },
)

test('a part of a composition sounds exactly like that part of the whole', async () => {
  const file = await writeWav(join(await scratch(), 'source.wav'), times(4, music), { seconds: SECONDS })
  const composition = await planComposition(file)
  const part = { ...composition.plan, frames: 45, range: { start: 31, of: composition.plan.frames } }
  const [whole] = await readMix(await mix(composition))
  const [samples] = await readMix(await mix({ ...composition, plan: part }))
  expect(samples).toHaveLength(45 * 1600)
  expect(samples).toEqual(whole.subarray(31 * 1600, (31 + 45) * 1600))
})

test('a composition that is too quiet to measure keeps its levels, with a warning', async () => {
  const file = await writeWav(join(await scratch(), 'source.wav'), tone(500, 1e-5), { seconds: SECONDS })
  const { plan, warnings } = await planComposition(file)
  expect(plan.loudness).toBeUndefined()
  expect(warnings).toMatchObject([{ code: 'VID_LOUDNESS_UNMEASURED' }])
})

test('a target that peaks do not allow is a warning with what is reached', async () => {
  const clicks: Signal = (sample) => (sample % 24_000 === 0 ? 0.5 : 0.0005)
  const file = await writeWav(join(await scratch(), 'source.wav'), clicks, { seconds: SECONDS })
  const { plan, warnings } = await planComposition(file, -5)
  expect(plan.loudness).toMatchObject({ target: -5 })
  expect(warnings).toMatchObject([{ code: 'VID_LOUDNESS_MISSED', message: expect.stringContaining('-5 LUFS') }])
})

test('without a loudness, a plan stays as it is', async () => {
  const file = await writeWav(join(await scratch(), 'source.wav'), times(4, music), { seconds: SECONDS })
  const { plan } = await planComposition(file, 'off')
  expect(plan).not.toHaveProperty('loudness')
})

test('renders that share their sounds measure it once, and each plan is that of a render alone', async () => {
  const file = await writeWav(join(await scratch(), 'source.wav'), SIGNALS.music?.signal ?? tone(55, 0.2), {
    seconds: SECONDS,
    channels: 2,
  })
  const sounds = createPool({ max: 1 })
  try {
    const alone = await planComposition(file)
    const first = await planComposition(file, TARGET, sounds)
    const second = await planComposition(file, TARGET, sounds)
    const other = await planComposition(file, -20, sounds)
    expect([alone, first, second, other].map(({ reads }) => reads())).toEqual([1, 1, 0, 1])
    expect(second.plan).toEqual(alone.plan)
    expect(first.plan).toEqual(alone.plan)
    expect(other.plan.loudness?.target).toBe(-20)
  } finally {
    await sounds.close()
  }
})
