import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, probeMedia, runProcess } from '@vid/ffmpeg'
import { decodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import { makeBar, SECOND_CHUNKS } from './bar-composition.ts'
import { aws, keysBelow, lambda } from './stack.ts'

test('a render in a shape has its poster beside it, in the bucket and here', async () => {
  await aws().control('rules', [])
  const cwd = await makeBar(1)
  const words = ['--shapes', '9:16', '--poster', '0%', '--codec', 'h264', '--output-key', 'streams/tall.mp4']
  const { code, stderr } = await lambda(['render', 'film', ...SECOND_CHUNKS, ...words, '-o', 'tall.mp4'], cwd)
  expect(code, stderr).toBe(0)
  const { video } = await probeMedia(join(cwd, 'tall.mp4'))
  expect(video[0]).toMatchObject({ width: 180, height: 320, codec: 'h264' })
  expect(await keysBelow('streams/tall')).toEqual(['streams/tall.mp4', 'streams/tall.poster.jpg'])
  const { ffmpeg } = await findFfmpeg()
  await runProcess(ffmpeg, ['-v', 'error', '-i', join(cwd, 'tall.poster.jpg'), join(cwd, 'tall.png')], undefined)
  const { width, height, data } = decodePng(await readFile(join(cwd, 'tall.png')))
  expect([width, height]).toEqual([180, 320])
  const [red = 0, green = 0] = data.subarray(4 * (180 * 10 + 90))
  expect([red > 180, green < 40]).toEqual([true, true])
})

test('a codec that the ffmpeg of the function lacks is refused before the first frame', async () => {
  const cwd = await makeBar(1)
  const words = ['render', 'film', ...SECOND_CHUNKS, '--codec', 'av1', '--output-key', 'streams/av1.mp4']
  const { code, stderr } = await lambda(words, cwd)
  expect(code, stderr).toBe(1)
  expect(stderr).toContain('VID_CODEC_MISSING')
  expect(await keysBelow('streams/av1')).toEqual([])
})
