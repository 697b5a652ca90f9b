// Pages that nobody here wrote, rendered and held against a plain browser:
// npm run lab -- strangers --from FOLDER [--only text] [--pictures FOLDER].
// FOLDER holds a checkout of each repository of e2e/long/strangers/corpus.json as owner+name.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { encodeFastPng, findBrowser } from '@vid/browser'
import { frameHashes } from '@vid/ffmpeg'
import { createRenderer } from '@vid/render'
import { path } from '../../scripts/workspaces.mjs'
import { COMPARED, comparedFrames, compareWithBrowser, FPS, isByChance, LIMIT } from './strangers/compare.mjs'
import { makeComposition, SIZE } from './strangers/make-composition.mjs'
import { openPlainBrowser } from './strangers/plain-browser.mjs'

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    only: { type: 'string', default: '' },
    pictures: { type: 'string' },
  },
})

const FRAMES = SIZE.seconds * FPS
/** Frames at which a range begins. */
const RANGES = [13, 35, 60]
const RANGE_FRAMES = 3
const MAX_MS = 600_000

const corpus = JSON.parse(readFileSync(path('e2e/long/strangers/corpus.json'), 'utf8'))
const folder = values.from && resolve(values.from)
if (!folder) throw new Error('give --from FOLDER, which holds each repository of the corpus as owner+name')
const pictures = values.pictures && resolve(values.pictures)
if (pictures) mkdirSync(pictures, { recursive: true })

const scratch = mkdtempSync(join(tmpdir(), 'vid-strangers-'))
const renderer = await createRenderer({ isolated: true, idle: { browsers: 2, ms: 60_000 } })
const executable = await findBrowser()

/** A render without loss: its file, the digests of its frames, and its warnings. */
const render = async (projectDir, entry, settings) => {
  const output = join(mkdtempSync(join(scratch, 'video-')), 'video.mp4')
  const all = { projectDir, entry, output, fps: FPS, crf: 0, cache: false, ...settings }
  const { warnings } = await renderer.render(all, { signal: AbortSignal.timeout(MAX_MS) })
  const codes = [...new Set(warnings.map(({ code }) => code))].sort()
  return { output, digests: await frameHashes(output), warnings: codes }
}

const unlike = (part, whole, from) => part.filter((digest, index) => digest !== whole[from + index]).length

const keepPictures = (name, plain, frames) => {
  if (!pictures) return
  const stem = name.replaceAll(/[^\w.-]+/g, '_')
  for (const [index, picture] of plain.entries()) {
    writeFileSync(join(pictures, `${stem}-${COMPARED[index]}-browser.png`), picture)
    writeFileSync(join(pictures, `${stem}-${COMPARED[index]}-vid.png`), encodeFastPng(frames[index]))
  }
}

const tryPage = async (repository, projectDir, page) => {
  const file = join(projectDir, dirname(page), `vid-${basename(page)}`)
  const html = makeComposition(readFileSync(join(projectDir, page), 'utf8'))
  if (html === undefined) return { page, result: 'no body' }
  writeFileSync(file, html)
  const entry = join(dirname(page), `vid-${basename(page)}`)
  // A browser for each page: one that has crashed or hangs says nothing about the next.
  const browser = await openPlainBrowser({
    executable: executable.path,
    env: { ...process.env, ...executable.env },
    size: SIZE,
  })
  try {
    const one = await render(projectDir, entry, { workers: 1 })
    const two = await render(projectDir, entry, { workers: 2 })
    const ranges = []
    for (const from of RANGES) {
      const range = { from: `${from}f`, to: `${from + RANGE_FRAMES}f`, workers: 1 }
      ranges.push(unlike((await render(projectDir, entry, range)).digests, one.digests, from))
    }
    const frames = await comparedFrames(one.output)
    const { plain, parts } = await compareWithBrowser(browser, file, projectDir, frames)
    const differs = parts.map((part) => Number((100 * part).toFixed(2)))
    const isRight = Math.max(...parts) <= LIMIT
    const result = isRight ? 'right' : (await isByChance(browser, file, projectDir)) ? 'chance' : 'differs'
    if (!isRight) keepPictures(`${repository}-${page}`, plain, frames)
    return {
      page,
      result,
      ...(!isRight && { differs }),
      workers: unlike(two.digests, one.digests, 0),
      ranges: ranges.reduce((sum, count) => sum + count, 0),
      warnings: one.warnings,
    }
  } catch (thrown) {
    return { page, result: thrown.code ?? 'failed', message: String(thrown.message).split('\n')[0].slice(0, 160) }
  } finally {
    await browser.close()
  }
}

const results = []
try {
  for (const { repository, pages } of corpus) {
    const chosen = pages.filter((name) => `${repository}/${name}`.includes(values.only))
    if (chosen.length === 0) continue
    const projectDir = join(scratch, repository.replace('/', '+'))
    cpSync(join(folder, repository.replace('/', '+')), projectDir, { recursive: true })
    for (const page of chosen) {
      const result = await tryPage(repository, projectDir, page)
      results.push(result)
      const { result: word, differs = [], workers = 0, ranges = 0, warnings = [], message = '' } = result
      const notes = [
        differs.length > 0 && `${differs.join(' ')} %`,
        workers > 0 && `${workers} frames differ with two workers`,
        ranges > 0 && `${ranges} frames of ranges differ`,
        ...warnings,
        message,
      ]
      console.log(`${word.padEnd(8)} ${repository}/${page} ${notes.filter(Boolean).join(' | ')}`)
    }
    rmSync(projectDir, { recursive: true, force: true })
  }
} finally {
  await renderer.close()
  rmSync(scratch, { recursive: true, force: true })
}
const count = (isIn) => results.filter(isIn).length
console.log(
  `\n${results.length} pages of ${FRAMES} frames: ${count(({ result }) => result === 'right')} right, ${count(({ result }) => result === 'differs')} differ, ${count(({ result }) => result === 'chance')} draw by chance, ${count(({ workers, ranges }) => workers > 0 || ranges > 0)} unlike themselves`,
)
if (results.some(({ result, workers, ranges }) => !['right', 'chance'].includes(result) || workers > 0 || ranges > 0))
  process.exitCode = 1
