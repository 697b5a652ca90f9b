import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, type Mp4Settings, mp4SegmentArgs, readX264Info, runProcess } from '@vid/ffmpeg'
import { scratchFolder } from '@vid/testkit'
import { expect, test } from 'vitest'

const picture = { width: 320, height: 180, fps: 30 }
const settings: Mp4Settings = {
  crf: 23,
  bitrate: null,
  threads: 2,
  recipe: 4,
  preset: 'medium',
  hdr: true,
  gpu: false,
}

test('x264 makes the same bytes with all instruction sets of a processor and with few of them', async () => {
  const { ffmpeg } = await findFfmpeg()
  const folder = await scratchFolder()
  const source = 'testsrc2=s=320x180:r=30:d=1,noise=alls=12:allf=t:all_seed=5,format=yuv420p'
  const encode = async (instructionSets: string) => {
    const file = join(folder, `${instructionSets}.mp4`)
    const args = mp4SegmentArgs('yuv420p', settings, picture).map((arg) =>
      arg.startsWith('cpu-independent=1') ? `${arg}:asm=${instructionSets}` : arg,
    )
    expect(args.join(' ')).toContain(`asm=${instructionSets}`)
    await runProcess(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', source, ...args, file], undefined)
    return readFile(file)
  }
  const all = await encode('auto')
  for (const few of ['sse2', 'avx']) expect((await encode(few)).equals(all), few).toBe(true)
})

test.each([
  { preset: 'medium', width: 1280, height: 720, frames: '40' },
  { preset: 'slow', width: 720, height: 1280, frames: '50' },
  { preset: 'medium', width: 1080, height: 1920, frames: '20' },
  { preset: 'slow', width: 3840, height: 2160, frames: '20' },
  // x264 does not write down a lookahead of none.
  { preset: 'ultrafast', width: 2160, height: 3840, frames: undefined },
] as const)('x264 looks $frames frames ahead in pictures of $width × $height at $preset', async (expected) => {
  const { preset, width, height, frames } = expected
  const { ffmpeg } = await findFfmpeg()
  const file = join(await scratchFolder(), 'one.mp4')
  const source = ['-f', 'lavfi', '-i', `color=s=${width}x${height}:r=30,format=yuv420p`, '-frames:v', '1']
  const args = mp4SegmentArgs('yuv420p', { ...settings, preset }, { width, height, fps: 30 })
  await runProcess(ffmpeg, ['-v', 'error', ...source, ...args, file], undefined)
  expect((await readX264Info(file))?.options.rc_lookahead).toBe(frames)
})
