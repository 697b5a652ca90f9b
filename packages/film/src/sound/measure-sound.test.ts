import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFfmpeg, SAMPLE_RATE, WAV_HEADER_BYTES } from '@vid/ffmpeg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureSound } from './measure-sound.ts'

const { signal } = new AbortController()
const SECONDS = 8

/** Samples in which a signal comes and goes. */
const FADE = 2400

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-loudness-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** What ffmpeg measures of a sound of 48 kHz stereo floats: LUFS, and dB of the true peak. */
const readEbur128 = async (file: string) => {
  const { ffmpeg } = await findFfmpeg({ signal })
  const input = ['-f', 'f32le', '-ar', String(SAMPLE_RATE), '-ac', '2', '-skip_initial_bytes', String(WAV_HEADER_BYTES)]
  const filter = ['-filter_complex', 'ebur128=peak=true', '-f', 'null', '-']
  const { stderr } = await promisify(execFile)(ffmpeg, ['-hide_banner', '-nostats', ...input, '-i', file, ...filter])
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'))
  const figure = (pattern: RegExp) => Number(pattern.exec(summary)?.[1])
  return { integrated: figure(/I:\s+(-?[\d.]+) LUFS/), truePeak: figure(/True peak:\s+Peak:\s+(-?[\d.]+) dBFS/) }
}

/** Random numbers that are the same in each run. */
const createNoise = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 31 - 1
}

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

test.each(Object.entries(SIGNALS))('loudness and true peak of %s are those of ffmpeg', async (name, at) => {
  const samples = SECONDS * SAMPLE_RATE
  const bytes = Buffer.alloc(WAV_HEADER_BYTES + samples * 8)
  for (let sample = 0; sample < samples; sample++) {
    // What begins or ends at once has peaks that depend on what a measurement takes for the sound before it.
    const edge = Math.min(1, sample / FADE, (samples - 1 - sample) / FADE)
    const [left, right] = at(sample / SAMPLE_RATE).map((value) => value * edge) as [number, number]
    bytes.writeFloatLE(left, WAV_HEADER_BYTES + sample * 8)
    bytes.writeFloatLE(right, WAV_HEADER_BYTES + sample * 8 + 4)
  }
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.wav`)
  await writeFile(file, bytes)
  const [sound, reference] = await Promise.all([measureSound(file, signal), readEbur128(file)])
  expect(Math.abs((sound.integrated ?? 0) - reference.integrated)).toBeLessThanOrEqual(0.1)
  expect(Math.abs((sound.truePeak ?? 0) - reference.truePeak)).toBeLessThanOrEqual(0.2)
})
