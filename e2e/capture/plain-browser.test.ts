import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { decodeScreenshot, findBrowser } from '@vid/browser'
import { frameHashes } from '@vid/ffmpeg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { comparedFrames, compareWithBrowser, FPS, LIMIT } from '../long/strangers/compare.mjs'
import { differingPart } from '../long/strangers/differing.mjs'
import { makeComposition, SIZE } from '../long/strangers/make-composition.mjs'
import { openPlainBrowser, type PlainBrowser } from '../long/strangers/plain-browser.mjs'
import { rendersOfFile } from '../support/renders.ts'
import { here } from '../support/vid.ts'

/** Pages written after the READMEs of libraries, which know nothing of vid. */
const PAGES = readdirSync(here('capture/readme-pages')).reverse()

/** Files of packages that a page loads. */
const LIBRARY = /\/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//g

let folder: string
let browser: PlainBrowser
const render = rendersOfFile()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vid-readme-pages-'))
  const { path, env } = await findBrowser()
  browser = await openPlainBrowser({ executable: path, env: { ...process.env, ...env }, size: SIZE })
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The page as a composition, with the packages that it loads. */
const makeProject = (page: string): string => {
  const html = readFileSync(here(`capture/readme-pages/${page}`), 'utf8')
  const project = join(folder, basename(page, '.html'))
  for (const [, name = ''] of html.matchAll(LIBRARY))
    cpSync(here(`../node_modules/${name}`), join(project, 'node_modules', name), { recursive: true })
  const file = join(project, 'index.html')
  writeFileSync(file, makeComposition(html) ?? '')
  return file
}

test.each(partOf(PAGES, 1))(
  '%s is drawn as a plain browser draws it, whole, by two workers and in a range',
  async (page) => {
    const file = makeProject(page)
    const renderPart = async (name: string, settings: object) => {
      const output = join(folder, `${page}-${name}.mp4`)
      const { warned } = await render({ projectDir: dirname(file), output, fps: FPS, crf: 0, ...settings })
      expect(warned).toBe('')
      return { output, digests: await frameHashes(output) }
    }
    const one = await renderPart('one', { workers: 1 })
    expect((await renderPart('two', { workers: 2 })).digests).toEqual(one.digests)
    const part = await renderPart('part', { from: '47f', to: '51f', workers: 1 })
    expect(part.digests).toEqual(one.digests.slice(47, 51))

    const frames = await comparedFrames(one.output)
    const { plain, parts } = await compareWithBrowser(browser, file, dirname(file), frames)
    expect(parts.filter((differing) => differing > LIMIT)).toEqual([])
    // Frames of other times are told apart, so this page shows something.
    const [first] = plain
    const last = frames.at(-1)
    expect(first && last && differingPart(decodeScreenshot(first), last)).toBeGreaterThan(LIMIT)
  },
)
