import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFrames, findFfmpeg, QUIET, runProcess } from '@vid/ffmpeg'
import { toneFile } from '@vid/testkit'
import { expect, test } from 'vitest'
import { makeProject } from '../fixtures/open-preview.ts'
import { makeFilmstrip } from './filmstrip.ts'
import { measureWaveform } from './waveform.ts'

const { signal } = new AbortController()

/** A video of two seconds: red, then blue. */
const redThenBlue = async (folder: string): Promise<string> => {
  const { ffmpeg } = await findFfmpeg({ signal })
  const file = join(folder, 'colours.mp4')
  const colour = (name: string) => ['-f', 'lavfi', '-i', `color=${name}:s=64x48:r=10:d=1`]
  const joined = ['-filter_complex', 'concat=n=2', '-pix_fmt', 'yuv420p', file]
  await runProcess(ffmpeg, [...QUIET, ...colour('red'), ...colour('blue'), ...joined], signal)
  return file
}

test('a filmstrip has pictures of all parts of a video side by side', async () => {
  const folder = await makeProject()
  const file = await redThenBlue(folder)
  const job = { file, src: 'colours.mp4', height: 24, count: 4, signal }
  const strip = join(folder, 'strip.jpg')
  await writeFile(strip, await makeFilmstrip(job))
  const frames = decodeFrames(strip, { pixFmt: 'rgb24' })
  const pixels = (await frames.next()).value ?? undefined
  expect(pixels?.length).toBe(4 * 32 * 24 * 3)
  const colours = [0, 1, 2, 3].map((part) => {
    const pixelAt = (12 * 4 * 32 + part * 32 + 16) * 3
    return (pixels?.[pixelAt] ?? 0) > 128 ? 'red' : (pixels?.[pixelAt + 2] ?? 0) > 128 ? 'blue' : 'other'
  })
  expect(colours).toEqual(['red', 'red', 'blue', 'blue'])
})

test('a waveform is silent where its sound is, and as loud as its loudest sample elsewhere', async () => {
  const folder = await makeProject()
  const { file } = await toneFile(folder, { seconds: 2, onset: 1 })
  const { duration, peaks } = await measureWaveform({ file, src: 'tone.wav', count: 8, signal })
  expect(duration).toBeCloseTo(2)
  for (const peak of peaks.slice(0, 4)) expect(peak).toBeLessThan(0.02)
  for (const peak of peaks.slice(5)) expect(peak).toBeCloseTo(0.5, 1)
})

test('a sound has no pictures, and a silent video no waveform', async () => {
  const folder = await makeProject()
  const { file: tone } = await toneFile(folder, { seconds: 0.5, onset: 0 })
  const strip = makeFilmstrip({ file: tone, src: 'a.wav', height: 24, count: 1, signal })
  await expect(strip).rejects.toMatchObject({ code: 'VID_PREVIEW_SOURCE' })
  const file = await redThenBlue(folder)
  const wave = measureWaveform({ file, src: 'a.mp4', count: 4, signal })
  await expect(wave).rejects.toMatchObject({ code: 'VID_PREVIEW_SOURCE' })
})
