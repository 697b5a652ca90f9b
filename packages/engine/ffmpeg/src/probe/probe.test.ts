import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../fixtures/sliding-bar.ts'
import { decodeFrames, findFfmpeg, frameHashes, probeMedia, runProcess } from '../index.ts'

const { ffmpeg } = await findFfmpeg()
const make = (args: string[]) => runProcess(ffmpeg, ['-v', 'error', ...args], undefined)

test('probing reports the streams of a file with their properties', async () => {
  const file = join(await scratch(), '-tone.mov')
  const inputs = ['-f', 'lavfi', '-i', 'testsrc=s=32x18:r=24000/1001', '-f', 'lavfi', '-i', 'sine=r=44100']
  await make([...inputs, '-t', '1', '-c:v', 'mpeg4', '-c:a', 'aac', file])
  expect(await probeMedia(file, { countFrames: true })).toMatchObject({
    container: expect.stringContaining('mov'),
    video: [{ type: 'video', codec: 'mpeg4', width: 32, height: 18, fps: { num: 24000, den: 1001 }, frames: 24 }],
    audio: [{ type: 'audio', codec: 'aac', sampleRate: 44100, channels: 1 }],
  })
})

test('a sound file has no video', async () => {
  const file = join(await scratch(), 'tone.wav')
  await make(['-f', 'lavfi', '-i', 'sine', '-t', '1', file])
  expect(await probeMedia(file)).toMatchObject({ duration: 1, video: [], audio: [{ codec: 'pcm_s16le' }] })
  await expect(decodeFrames(file, { pixFmt: 'gray' }).next()).rejects.toMatchObject({
    code: 'VID_FFMPEG_PROBE',
  })
})

test.each(['missing', 'text'])('a %s file is a coded error that names it', async (name) => {
  const file = join(await scratch(), name)
  if (name === 'text') await writeFile(file, 'no video')
  await expect(probeMedia(file)).rejects.toMatchObject({
    code: 'VID_FFMPEG_PROBE',
    message: expect.stringContaining(file),
  })
})

test('decoding can be stopped early and scales on request', async () => {
  const file = join(await scratch(), 'card.mkv')
  await make(['-f', 'lavfi', '-i', 'testsrc2=s=320x180', '-t', '4', '-c:v', 'ffv1', file])
  for await (const frame of decodeFrames(file, { pixFmt: 'gray', scale: { width: 16, height: 9 } })) {
    expect(frame).toHaveLength(16 * 9)
    break
  }
  expect(new Set(await frameHashes(file)).size).toBe(100)
})
