import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { makeSources } from './support/sources.ts'
import { here, scratch, vid } from './support/vid.ts'
import { zip } from './support/zip.ts'

/** Lanes whose pictures are compared: the one that is chosen, and the one that draws as a window would. */
const LANES = ['auto', 'screenshot']

/** What two lanes may differ by in a frame, dB. */
const LEAST_PSNR = 45

/** A copy of a project whose config takes the lane, and the files that are made for it. */
const copyOf = async (project: string): Promise<string> => {
  const folder = join(await scratch(), 'project')
  await cp(here(`projects/${project}`), folder, { recursive: true })
  for (const name of ['vid.config.mjs', 'vid.config.json']) await rm(join(folder, name), { force: true })
  const config = `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ lane: process.env.E2E_LANE }), render: { segmentFrames: 40 } }
`
  await writeFile(join(folder, 'vid.config.mjs'), config)
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  if (project === 'media') {
    await mkdir(join(folder, 'sources'), { recursive: true })
    await makeSources(join(folder, 'sources'), [
      'h264.mp4',
      'hevc.mp4',
      'prores.mov',
      'alpha.webm',
      'vfr.mp4',
    ])
  }
  if (project === 'libraries') {
    const manifest = JSON.stringify({ version: '1.0', animations: [{ id: 'slide' }] })
    const animation = await readFile(join(folder, 'slide.json'), 'utf8')
    const packed = zip({ 'manifest.json': manifest, 'animations/slide.json': animation })
    await writeFile(join(folder, 'slide.lottie'), packed)
  }
  return folder
}

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

const GALLERY: readonly (readonly [project: string, entries: readonly string[]])[] = [
  ['clockwork', ['index']],
  ['frame-number', ['index']],
  ['glass', ['index']],
  ['grading', ['index']],
  ['media', ['index']],
  ['nested-depth', ['index']],
  ['nested-faults', ['index']],
  ['nested-parts', ['index']],
  ['postcard', ['index']],
  ['same-names', ['index']],
  ['seeked', ['index']],
  ['six-scenes', ['index']],
  ['stateful', ['index']],
  ['static-noise', ['index']],
  ['variables', ['index']],
  ['windows', ['index']],
  [
    'libraries',
    ['anime', 'lottie', 'dotlottie', 'three', 'd3', 'gsap-module', 'canvas', 'iframe', 'adapter', 'cube'],
  ],
]

test.each(GALLERY)(
  '%s looks the same in the lane that is chosen and as screenshots: %j',
  async (project, entries) => {
    const folder = await copyOf(project)
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
