import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { frameHashes, probeMedia } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { copyOf } from '../support/gallery.ts'
import { greyFrames, shownNumber } from '../support/pixels.ts'
import { scratch, vidInProcess } from '../support/vid.ts'

/** Two seconds of 30 frames, in segments of a quarter of them. */
const projectOn = (lane: string) =>
  copyOf(
    'frame-number',
    `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ lane: '${lane}' }), render: { segmentFrames: 15, quality: 'draft' } }
`,
  )
const FRAMES = 60
const digest = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')

// Raw pixels come as yuv420p already, images are made so by the encoder: each is rounded its own way.
test.each(partOf([[['auto']], [['begin-frame', 'screenshot']]], 1))(
  'every frame is the right one, and all workers make the same file on lanes %j',
  async (lanes) => {
    const folder = await scratch()
    const digests = new Set<string>()
    const decoded = new Set<string>()
    for (const lane of lanes) {
      const project = await projectOn(lane)
      for (const workers of ['1', '4']) {
        const output = join(folder, `${lane}-${workers}.mp4`)
        const run = await vidInProcess(['render', project, '-o', output, '-w', workers, '--to', '2s'])
        expect(run, run.stderr).toMatchObject({ code: 0 })
        const frames = await greyFrames(output)
        expect(frames.map((frame) => shownNumber(frame))).toEqual(Array.from({ length: FRAMES }, (_, frame) => frame))
        decoded.add((await frameHashes(output)).join())
        digests.add(await digest(output))
      }
    }
    expect(decoded.size).toBe(1)
    expect(digests.size).toBe(1)
  },
)

test('the stream has the size, rate, length and colour tags that were asked for', async () => {
  const output = join(await scratch(), 'out.mp4')
  const words = ['render', await projectOn('auto'), '-o', output, '--fps', '60', '--to', '1.5s']
  expect(await vidInProcess(words)).toMatchObject({ code: 0 })
  const { video, audio } = await probeMedia(output, { countFrames: true })
  expect(audio).toEqual([])
  expect(video).toMatchObject([
    {
      codec: 'h264',
      width: 320,
      height: 180,
      pixFmt: 'yuv420p',
      frames: 90,
      fps: { num: 60, den: 1 },
      matrix: 'bt709',
      transfer: 'bt709',
      primaries: 'bt709',
      range: 'tv',
    },
  ])
})
