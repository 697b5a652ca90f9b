import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, runProcess, SAMPLE_RATE } from '@vid/ffmpeg'
import { scratch } from './vid.ts'

/** Left and right channel of a file, 48 000 samples a second. */
export type Sound = readonly [Float32Array, Float32Array]

/** Runs ffmpeg to its end. */
export const ffmpeg = async (args: readonly string[]): Promise<void> => {
  await runProcess((await findFfmpeg()).ffmpeg, ['-v', 'error', '-y', ...args], undefined)
}

/** Writes a tone of half of full scale. */
export const writeTone = (file: string, hertz: number, seconds: number, channels: 1 | 2 = 2): Promise<void> => {
  const wave = `0.5*sin(2*PI*${hertz}*t)`
  const source = `aevalsrc=${Array(channels).fill(wave).join('|')}:s=${SAMPLE_RATE}:d=${seconds}`
  return ffmpeg(['-f', 'lavfi', '-i', source, '-c:a', 'pcm_s16le', file])
}

/** The decoded sound of a file. */
export const readSound = async (file: string): Promise<Sound> => {
  const raw = join(await scratch(), 'raw')
  await ffmpeg([
    '-i',
    file,
    '-map',
    '0:a:0',
    '-ar',
    `${SAMPLE_RATE}`,
    '-ac',
    '2',
    '-c:a',
    'pcm_f32le',
    '-f',
    'f32le',
    raw,
  ])
  const { buffer } = Uint8Array.from(await readFile(raw))
  const samples = new Float32Array(buffer)
  const channel = (first: number) => samples.filter((_, index) => index % 2 === first)
  return [channel(0), channel(1)]
}

/** The samples of a time range in seconds. */
export const between = (samples: Float32Array, from: number, to: number): Float32Array =>
  samples.subarray(Math.round(from * SAMPLE_RATE), Math.round(to * SAMPLE_RATE))

/** Largest absolute value. */
export const peak = (samples: Float32Array): number => samples.reduce((max, value) => Math.max(max, Math.abs(value)), 0)

/** Amplitude of one frequency in hertz; the range should hold whole periods of it. */
export const amplitude = (samples: Float32Array, hertz: number): number => {
  const omega = (2 * Math.PI * hertz) / SAMPLE_RATE
  let real = 0
  let imaginary = 0
  samples.forEach((value, index) => {
    real += value * Math.cos(omega * index)
    imaginary += value * Math.sin(omega * index)
  })
  return (2 * Math.hypot(real, imaginary)) / samples.length
}

/** The loudest frequency in hertz, to 5, between 100 and 2000. */
export const pitch = (samples: Float32Array): number => {
  const frequencies = Array.from({ length: 381 }, (_, index) => 100 + 5 * index)
  const [loudest = 0] =
    frequencies
      .map((hertz) => [amplitude(samples, hertz), hertz] as const)
      .sort(([a], [b]) => b - a)[0]
      ?.slice(1) ?? []
  return loudest
}

/** Seconds at which a sound first exceeds a level, from `from` on. */
export const onset = (samples: Float32Array, level = 0.1, from = 0): number =>
  samples.findIndex((value, index) => index >= from * SAMPLE_RATE && Math.abs(value) > level) / SAMPLE_RATE
