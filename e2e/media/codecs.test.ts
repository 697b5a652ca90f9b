import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { probeMedia } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { writeSource } from '../support/luminance.ts'
import { here, scratch, vid } from '../support/vid.ts'

const render = async (args: readonly string[]) => {
  const run = await vid(['render', here('projects/media'), '--no-cache', '-q', 'draft', '--to', '1.5s', ...args], {
    env: { E2E_SEGMENT: '12' },
  })
  return run
}

test('hevc has the same bytes with one browser and with three, and every frame and sound', async () => {
  const folder = await scratch()
  const files = await Promise.all(
    ['1', '3'].map(async (workers) => {
      const file = join(folder, `${workers}.mp4`)
      const run = await render(['--codec', 'hevc', '-w', workers, '-o', file])
      expect(run, run.stderr).toMatchObject({ code: 0 })
      return file
    }),
  )
  const [one, three] = await Promise.all(files.map((file) => readFile(file)))
  expect(one?.equals(three ?? Buffer.alloc(0))).toBe(true)
  const { video, duration } = await probeMedia(files[0] ?? '', { countFrames: true })
  expect(video).toMatchObject([{ codec: 'hevc', codecTag: 'hvc1', pixFmt: 'yuv420p', matrix: 'bt709', frames: 45 }])
  expect(duration).toBeCloseTo(1.5, 1)
})

longTest('an HDR source becomes SDR as h264, with a warning', async () => {
  const folder = join(await scratch(), 'hdr')
  await cp(here('projects/hdr'), folder, { recursive: true })
  await writeSource(join(folder, 'source.mp4'), 'pq')
  const file = join(folder, 'out.mp4')
  const run = await vid(['render', folder, '-o', file, '--no-cache', '-q', 'draft', '--codec', 'h264'])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect(run.stderr).toContain('warning VID_HDR_TO_SDR')
  expect((await probeMedia(file)).video).toMatchObject([{ codec: 'h264', transfer: 'bt709' }])
})

test('an ffmpeg without the encoder is refused before a frame, and leaves nothing', async () => {
  const file = join(await scratch(), 'out.mp4')
  // The ffmpeg of the packages has none for AV1.
  const run = await vid(['render', here('projects/media'), '--no-cache', '--codec', 'av1', '-o', file], {
    env: { PATH: '/nowhere' },
  })
  expect(run.code).toBeGreaterThan(0)
  expect(run.stderr).toContain('error VID_CODEC_MISSING: ')
  expect(run.stderr).not.toContain('rendering')
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' })
})
