import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { frameHashes, probeMedia } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { greyFrames, shownNumber } from './support/pixels.ts'
import { here, scratch, vid } from './support/vid.ts'

const project = here('projects/frame-number')
const digest = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')

// Raw pixels come as yuv420p already, images are made so by the encoder: each is rounded its own way.
test.each([[['auto']], [['begin-frame', 'screenshot']]])(
  'every frame is the right one, and all workers make the same file on lanes %j',
  async (lanes) => {
    const folder = await scratch()
    const digests = new Set<string>()
    const decoded = new Set<string>()
    for (const lane of lanes)
      for (const workers of ['1', '4']) {
        const output = join(folder, `${lane}-${workers}.mp4`)
        const run = await vid(['render', project, '-o', output, '-w', workers], { env: { E2E_LANE: lane } })
        expect(run, run.stderr).toMatchObject({ code: 0 })
        const frames = await greyFrames(output)
        expect(frames.map((frame) => shownNumber(frame))).toEqual(Array.from({ length: 120 }, (_, frame) => frame))
        decoded.add((await frameHashes(output)).join())
        digests.add(await digest(output))
      }
    expect(decoded.size).toBe(1)
    expect(digests.size).toBe(1)
  },
)

test('the stream has the size, rate, length and colour tags that were asked for', async () => {
  const output = join(await scratch(), 'out.mp4')
  expect(await vid(['render', project, '-o', output, '--fps', '60'])).toMatchObject({ code: 0 })
  const { video, audio } = await probeMedia(output, { countFrames: true })
  expect(audio).toEqual([])
  expect(video).toMatchObject([
    {
      codec: 'h264',
      width: 320,
      height: 180,
      pixFmt: 'yuv420p',
      frames: 240,
      fps: { num: 60, den: 1 },
      matrix: 'bt709',
      transfer: 'bt709',
      primaries: 'bt709',
      range: 'tv',
    },
  ])
})
