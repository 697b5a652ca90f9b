import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aacArgs, type FfmpegTools, findEmbedded, findFfmpeg, joinSegments, runProcess } from '../index.ts'
import { writeEditedDurations } from './edited-durations.ts'

const signal = new AbortController().signal
const ofMachine = await findFfmpeg()
const embedded = await findEmbedded(ofMachine)
const programs: readonly (readonly [string, FfmpegTools])[] = [
  ['the ffmpeg of this machine', ofMachine],
  ...(embedded ? ([['the embedded ffmpeg', embedded]] as const) : []),
]

const scratch = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-durations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Joins a silent video of half a second with a tone of 3 kHz. */
const joinWithTone = async (tools: FfmpegTools, muxer: string): Promise<string> => {
  const folder = await scratch()
  const [file, tone, outputPath] = ['0.mp4', 'tone.wav', 'out'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const lavfi = (source: string) => ['-v', 'error', '-f', 'lavfi', '-i', source]
  await runProcess(tools.ffmpeg, [...lavfi('testsrc2=s=64x48:r=24:d=0.5'), '-c:v', 'libx264', '-y', file], signal)
  const sine = 'aevalsrc=0.7*sin(2*PI*3000*t):d=0.5:s=48000:c=stereo'
  await runProcess(tools.ffmpeg, [...lavfi(sine.replace(':c=stereo', '')), '-ac', '2', '-y', tone], signal)
  await joinSegments({
    segments: [{ file, frames: 12 }],
    audio: { file: tone, codecArgs: aacArgs },
    fps: 24,
    muxerArgs: ['-movflags', '+faststart', '-f', muxer],
    outputPath,
    signal,
    tools,
  })
  return outputPath
}

test.each(programs)('a video with sound is as long as its pictures, joined by %s', async (_name, tools) => {
  for (const muxer of ['mp4', 'mov']) {
    const path = await joinWithTone(tools, muxer)
    const words = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path]
    expect(Number(await runProcess(tools.ffprobe, words, signal))).toBe(0.5)
  }
})

test('durations that count more than the edits show are corrected, and right ones are left', async () => {
  const path = await joinWithTone(await findFfmpeg(), 'mp4')
  const right = await readFile(path)
  await writeEditedDurations(path)
  expect((await readFile(path)).equals(right)).toBe(true)
  const wrong = Buffer.from(right)
  // Version and flags, two times and the time scale stand before the duration of the movie.
  wrong.writeUInt32BE(522, wrong.indexOf('mvhd') + 4 + 16)
  wrong.writeUInt32BE(522, wrong.lastIndexOf('tkhd') + 4 + 20)
  await writeFile(path, wrong)
  await writeEditedDurations(path)
  expect((await readFile(path)).equals(right)).toBe(true)
})

/** The level of everything but a tone in sound of 48 kHz, beside that of the tone, in dB. */
const noiseBeside = (samples: Float32Array, hertz: number): number => {
  let [real, imaginary, power] = [0, 0, 0]
  for (const [index, sample] of samples.entries()) {
    const phase = (2 * Math.PI * hertz * index) / 48_000
    real += (sample * Math.cos(phase) * 2) / samples.length
    imaginary += (sample * Math.sin(phase) * 2) / samples.length
    power += sample ** 2 / samples.length
  }
  const tone = (real ** 2 + imaginary ** 2) / 2
  return 10 * Math.log10(Math.max(power - tone, 1e-12) / tone)
}

test.each(programs)('the noise beside a pure tone is 55 dB below it, coded by %s', async (_name, tools) => {
  const path = await joinWithTone(tools, 'mp4')
  const decoded = `${path}.raw`
  await runProcess(tools.ffmpeg, ['-v', 'error', '-i', path, '-ac', '1', '-f', 'f32le', decoded], signal)
  const bytes = await readFile(decoded)
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  // 0.3 s in the middle, which hold a whole number of waves.
  expect(noiseBeside(samples.slice(4800, 4800 + 14_400), 3000)).toBeLessThan(-55)
})
