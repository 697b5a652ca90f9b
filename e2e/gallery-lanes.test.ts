import { join } from 'node:path'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { copyOf, GALLERY } from './support/gallery.ts'
import { vid } from './support/vid.ts'

/** Lanes whose pictures are compared: the one that is chosen, and the one that draws as a window would. */
const LANES = ['auto', 'screenshot']

/** What two lanes may differ by in a frame, dB. */
const LEAST_PSNR = 45

/** The lane is chosen by the environment of the command. */
const CONFIG = `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ lane: process.env.E2E_LANE }), render: { segmentFrames: 40 } }
`

/** The likeness of each frame of two videos, dB. */
const likeness = async (one: string, other: string): Promise<number[]> => {
  const { ffmpeg } = await findFfmpeg()
  const inputs = ['-v', 'error', '-i', one, '-i', other]
  const printed = await runProcess(
    ffmpeg,
    [...inputs, '-lavfi', 'psnr=stats_file=-', '-f', 'null', '-'],
    undefined,
  )
  return [...printed.matchAll(/psnr_avg:(\S+)/g)].map(([, value]) =>
    value === 'inf' ? Infinity : Number(value),
  )
}

test.each(GALLERY)(
  '%s looks the same in the lane that is chosen and as screenshots: %j',
  async (project, entries) => {
    const folder = await copyOf(project, CONFIG)
    for (const entry of entries) {
      const videos: string[] = []
      for (const lane of LANES) {
        const output = join(folder, `${entry}-${lane}.mp4`)
        const run = await vid(
          ['render', folder, '-c', `${entry}.html`, '-o', output, '--crf', '0', '--no-cache'],
          {
            env: { E2E_LANE: lane },
          },
        )
        expect(run, run.stderr).toMatchObject({ code: 0 })
        videos.push(output)
      }
      const [one = '', other = ''] = videos
      const found = await likeness(one, other)
      expect(found.length, entry).toBeGreaterThan(1)
      // Where the faster lane gave up, the other has made both.
      expect(Math.min(...found), entry).toBeGreaterThanOrEqual(LEAST_PSNR)
    }
  },
)
