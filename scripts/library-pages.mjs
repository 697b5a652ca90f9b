// Renders pages made with popular libraries, and compares every frame of the chosen lane with screenshots:
// npm run lab -- library-pages [--only drawing/] [--json FILE].
import { setMaxListeners } from 'node:events'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPool } from '@vid/kernel'
import { installPackages } from './installed-packages.mjs'
import { compareLanes } from './library-pages/compare-lanes.mjs'
import { compileSvelte } from './library-pages/svelte.mjs'
import { LIBRARIES } from './library-pages/versions.mjs'
import { path } from './workspaces.mjs'

/** Share of the pages that the raster lane must capture. */
const MIN_SHARE_PERCENT = 95
/** Similarity of each frame to its screenshot, in dB. */
const MIN_PSNR = 45
const MAX_PAGE_MS = 180_000

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, json: { type: 'string' } } })
const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort())
setMaxListeners(0, stop.signal)

/** A page as a composition: its size and number of frames are in its markup. */
const pageOf = (projectDir, entry) => {
  const html = readFileSync(join(projectDir, entry), 'utf8')
  const [width, height, seconds] = ['width', 'height', 'duration'].map((name) =>
    Number(new RegExp(`data-${name}="([\\d.]+)"`).exec(html)[1]),
  )
  return { projectDir, entry, width, height, frames: Math.round(seconds * 30) }
}

const decibels = (psnr) => (psnr === Infinity ? 'equal' : `${psnr.toFixed(1)} dB`)

const describe = ({ name, lane, frames, psnr, worstFrame, worstBlock, ms, reasons, others, error }) => {
  if (error !== undefined) return `${name.padEnd(28)} failed: ${error}`
  const [chosen, screenshots] = ms.map((value) => value.toFixed(0).padStart(4))
  const likeness = `${decibels(psnr).padStart(8)} (frame ${worstFrame}, block ${worstBlock.toFixed(1)})`
  const lines = [`${name.padEnd(28)} ${lane.padEnd(11)} ${frames} frames ${chosen} /${screenshots} ms ${likeness}`]
  return [...lines, ...reasons.map((reason) => `    ${reason}`), ...others.map((text) => `    ! ${text}`)].join('\n')
}

const folder = await installPackages('library-pages', LIBRARIES, stop.signal)
const pages = join(folder, 'pages')
rmSync(pages, { recursive: true, force: true })
cpSync(path('bench/library-pages'), pages, { recursive: true })
compileSvelte(pages)
const names = readdirSync(pages, { recursive: true })
  .filter((name) => name.endsWith('.html') && name.startsWith(values.only))
  .sort()

const shared = createPool()
const rows = []
try {
  for (const file of names) {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(MAX_PAGE_MS)])
    const name = file.replace('.html', '')
    const measuring = compareLanes(pageOf(folder, `pages/${file}`), { shared, signal })
    rows.push({ name, ...(await measuring.catch(({ message }) => ({ error: message }))) })
    stop.signal.throwIfAborted()
    console.log(describe(rows.at(-1)))
  }
} finally {
  await shared.close()
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, undefined, 2))
const fast = rows.filter(({ lane }) => lane === 'raster').length
const wrong = rows.filter(({ psnr = 0 }) => psnr < MIN_PSNR).map(({ name }) => name)
const share = (fast / rows.length) * 100
console.log(`\n${fast} of ${rows.length} pages (${share.toFixed(1)} %) in the raster lane; ${wrong.length} unlike their screenshots`)
if (share < MIN_SHARE_PERCENT || wrong.length > 0) process.exitCode = 1
