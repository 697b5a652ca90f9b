import { existsSync } from 'node:fs'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFrames, findFfmpeg, runProcess } from '@vid/ffmpeg'
import type { RenderSettings } from '@vid/render'
import { comparePictures } from '@vid/runtime'
import { expect, test } from 'vitest'
import { isWhole, longTest, partOf } from '../../scripts/dev/part-of.ts'
import { copyOf, GALLERY } from '../support/gallery.ts'
import { rendersOfFile } from '../support/renders.ts'
import { projectOf } from '../support/ways.ts'

/** Lanes whose pictures are compared: the one that is chosen, and the one that draws as a window would. */
const LANES = ['auto', 'screenshot']

/** What two lanes may differ by in a frame, dB. */
const LEAST_PSNR = 45

/** Every frame of all projects with `npm run lab -- lane-gallery`, otherwise one in three. */
const RATE: RenderSettings = isWhole ? {} : { fps: 10 }

/** One project for each way in which a picture comes about; the others repeat them. */
const FEW: typeof GALLERY = [
  // Animations of CSS and of a library, and clocks of scripts.
  ['clockwork', ['index']],
  // Transparency.
  ['glass', ['index']],
  ['grading', ['index']],
  ['nested-parts', ['index']],
  // Frames that depend on those before.
  ['stateful', ['index']],
  // WebGL.
  ['libraries', ['cube']],
]

const configOf = (lane: string) => `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ lane: '${lane}' }), render: { segmentFrames: 40 } }
`

/** The likeness of each frame of two videos, dB. */
const likeness = async (one: string, other: string): Promise<number[]> => {
  const { ffmpeg } = await findFfmpeg()
  const inputs = ['-v', 'error', '-i', one, '-i', other]
  const printed = await runProcess(ffmpeg, [...inputs, '-lavfi', 'psnr=stats_file=-', '-f', 'null', '-'], undefined)
  return [...printed.matchAll(/psnr_avg:(\S+)/g)].map(([, value]) => (value === 'inf' ? Infinity : Number(value)))
}

const render = rendersOfFile()

/** The videos of an entry of a folder, one of each lane. */
const renderIn = async (
  folder: string,
  entry: string,
  lanes: readonly string[],
  rate: RenderSettings = {},
): Promise<string[]> => {
  const videos: string[] = []
  for (const lane of lanes) {
    const project = join(folder, '..', lane)
    if (!existsSync(project)) {
      await cp(folder, project, { recursive: true, verbatimSymlinks: true })
      await writeFile(join(project, 'vid.config.mjs'), configOf(lane))
    }
    const output = join(folder, `${entry}-${lane}.mp4`)
    await render({ projectDir: project, entry: `${entry}.html`, output, crf: 0, ...rate })
    videos.push(output)
  }
  return videos
}

/** Renders an entry of a folder in each lane and expects all frames to be alike; returns their number. */
const expectAlike = async (folder: string, entry: string, lanes = LANES, rate: RenderSettings = {}) => {
  const [one = '', other = ''] = await renderIn(folder, entry, lanes, rate)
  const ratios = await likeness(one, other)
  expect(ratios.length, entry).toBeGreaterThan(1)
  expect(Math.min(...ratios), entry).toBeGreaterThanOrEqual(LEAST_PSNR)
  return ratios.length
}

test.each(isWhole ? GALLERY : FEW)(
  '%s looks the same in the lane that is chosen and as screenshots: %j',
  async (project, entries) => {
    const folder = await copyOf(project, '')
    // Where the faster lane gives up, the other makes both.
    for (const entry of entries) await expectAlike(folder, entry, LANES, RATE)
  },
)

/** Pages that were once left to slower lanes. Where one moves a layer, a screenshot smooths its edges in another way. */
const WIDTHS = { 'body-as-root': 240, 'frosted-glass': 240, 'placed-canvas': 240, 'turned-cards': 320 }

test.each(partOf(Object.entries(WIDTHS), 2))(
  'every frame of %s in the fastest lane shows what its screenshot shows',
  async (project, width) => {
    const [fast = '', slow = ''] = await renderIn(await copyOf(project, ''), 'index', ['raster', 'screenshot'])
    const screenshots = decodeFrames(slow, { pixFmt: 'rgba' })
    let frames = 0
    for await (const picture of decodeFrames(fast, { pixFmt: 'rgba' })) {
      const { value } = await screenshots.next()
      expect(value?.length, `frame ${frames}`).toBe(picture.length)
      const shape = { width, height: picture.length / 4 / width, planar: false, smoothed: true }
      const likeness = comparePictures(picture, value ?? picture, shape)
      expect(likeness.psnr ?? Infinity, `frame ${frames}`).toBeGreaterThan(45)
      expect(likeness.worstBlock, `frame ${frames}`).toBeLessThan(20)
      frames += 1
    }
    expect(frames).toBe(24)
  },
)

longTest('large videos look the same after the canvases that show them have been used again', async () => {
  const videos = `<video data-start="0" src="bars.mp4" muted style="position: absolute; left: 0; top: 0"></video>
    <video data-start="0.1" data-duration="0.1" src="bars.mp4" muted
      style="position: absolute; width: 800px; height: 800px; object-fit: cover; transform: translate(900px, 200px)"></video>`
  const folder = await projectOf({
    'index.html': `<!doctype html><html><head><style>body { margin: 0 }</style></head><body>
      <div id="root" data-composition-id="large" data-width="1920" data-height="1080" data-duration="0.3">${videos}</div>
      </body></html>`,
  })
  const { ffmpeg } = await findFfmpeg()
  const bars = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:r=30:d=0.3', '-pix_fmt', 'yuv420p']
  await runProcess(ffmpeg, [...bars, '-c:v', 'libx264', join(folder, 'bars.mp4')], undefined)
  expect(await expectAlike(folder, 'index', ['raster', 'screenshot'])).toBe(9)
})
