import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { decodeFrames, frameHashes } from '@vid/ffmpeg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isWhole, partOf } from '../../scripts/dev/part-of.ts'
import { brightMiddle, greyFrames } from '../support/pixels.ts'
import { rendersOfFile } from '../support/renders.ts'
import { here } from '../support/vid.ts'
import { zip } from '../support/zip.ts'

// What was built, not the sources that vitest would take.
const capture = pathToFileURL(here('../plugins/capture-puppeteer/dist/index.js')).href

let project: string

beforeAll(async () => {
  project = join(await mkdtemp(join(tmpdir(), 'vid-libraries-')), 'project')
  await cp(here('projects/libraries'), project, { recursive: true })
  const manifest = JSON.stringify({ version: '1.0', animations: [{ id: 'slide' }] })
  const animation = await readFile(join(project, 'slide.json'), 'utf8')
  await writeFile(join(project, 'slide.lottie'), zip({ 'manifest.json': manifest, 'animations/slide.json': animation }))
})
afterAll(() => rm(join(project, '..'), { recursive: true, force: true }))

/** Ways to divide the work; the picture of a frame must not depend on them. */
const WAYS = [
  { lane: 'begin-frame', workers: 1, segment: '30' },
  { lane: 'screenshot', workers: 2, segment: '10' },
]
const MORE_WAYS = [{ lane: 'begin-frame', workers: 3, segment: '7' }]

/** Pages that are rendered in more ways: clocks of a library, WebGL, and steps that add up. All with `npm run lab -- library-ways`. */
const IN_MORE_WAYS: ReadonlySet<string> = new Set(['anime', 'three', 'canvas'])

const waysOf = (page: string) => {
  if (isWhole) return [...WAYS, ...MORE_WAYS]
  return IN_MORE_WAYS.has(page) ? WAYS : WAYS.slice(0, 1)
}

/** A copy of the project whose config has the lane and the segments of a way; made once. */
const copies = new Map<string, Promise<string>>()
const copyFor = ({ lane, segment }: (typeof WAYS)[number]): Promise<string> => {
  const name = `${lane}-${segment}`
  const copy = copies.get(name) ?? makeCopy(join(project, '..', name), lane, segment)
  copies.set(name, copy)
  return copy
}
const makeCopy = async (folder: string, lane: string, segment: string) => {
  await cp(project, folder, { recursive: true })
  const config = `import puppeteer from ${JSON.stringify(capture)}
export default { capture: puppeteer({ lane: '${lane}' }), render: { segmentFrames: ${segment} } }`
  await writeFile(join(folder, 'vid.config.mjs'), config)
  return folder
}

const render = rendersOfFile()

/** Renders a page in its ways, without loss, and gives the file of the first. */
const renderAll = async (page: string): Promise<string> => {
  const files: string[] = []
  for (const way of waysOf(page)) {
    const { lane, workers } = way
    const output = join(project, `${page}-${lane}-${workers}.mp4`)
    const { warned } = await render({
      projectDir: await copyFor(way),
      entry: `${page}.html`,
      output,
      workers,
      crf: 0,
    })
    expect(warned).not.toMatch(/^warning (?!VID_LIBRARY_VERSION)/m)
    files.push(output)
  }
  const [first = [], ...others] = await Promise.all(files.map((file) => frameHashes(file)))
  for (const hashes of others) expect(hashes).toEqual(first)
  return files[0] ?? ''
}

// In each of these pages 20 px boxes move at 200 px a second, one around each of the rows.
test.each(
  partOf(
    [
      ['anime', 30, [20, 60, 100, 140]],
      ['anime-module', 30, [20, 60]],
      ['lottie', 60, [20, 60, 100]],
      ['lottie-module', 30, [20]],
      ['dotlottie', 30, [20, 60]],
      ['three', 30, [20, 60]],
      ['three-global', 30, [20]],
      ['d3', 30, [20]],
      ['gsap-module', 30, [20]],
      ['canvas', 30, [20]],
      ['iframe', 30, [20, 60]],
      ['adapter', 30, [20, 60]],
    ],
    6,
  ),
)('%s shows the right picture at every frame, however the work is divided', async (page, count, rows) => {
  const frames = await greyFrames(await renderAll(page))
  expect(frames).toHaveLength(count)
  const wrong = frames.flatMap((pixels, frame) =>
    rows.flatMap((row) => {
      const from = (frame * 200) / 30
      const expected = (from + Math.min(from + 19, 319)) / 2
      const middle = brightMiddle(pixels, row)
      const isOut = from > 318 && middle === -1
      return isOut || Math.abs(middle - expected) <= 1.5
        ? []
        : [`frame ${frame}, row ${row}: ${middle}, not ${expected}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('a turning cube shows the face of its angle', async () => {
  const colours: number[][] = []
  for await (const frame of decodeFrames(await renderAll('cube'), { pixFmt: 'rgb24' })) {
    const offset = (90 * 320 + 160) * 3
    colours.push([...frame.subarray(offset, offset + 3)].map((value) => Math.round(value / 255)))
  }
  // The front face is the fifth, and the one that a half turn brings forward the sixth; between them comes the second.
  expect([colours[0], colours[15], colours[29]]).toEqual([
    [1, 0, 1],
    [0, 1, 0],
    [0, 1, 1],
  ])
  expect(colours).toHaveLength(30)
})
