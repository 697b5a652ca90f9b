// Renders pages made with popular libraries, and compares every frame of the chosen lane with screenshots:
// npm run lab -- library-pages [--only drawing/] [--lane begin-frame] [--json FILE].
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages } from './installed-packages.mjs'
import { measurePages } from './lanes/measure-pages.mjs'
import { compileSvelte } from './library-pages/svelte.mjs'
import { LIBRARIES } from './library-pages/versions.mjs'
import { path } from './workspaces.mjs'

/** Share of the pages that the raster lane must capture. */
const MIN_SHARE_PERCENT = 95
const INSTALLING_MS = 600_000

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    lane: { type: 'string', default: 'auto' },
    json: { type: 'string' },
  },
})

const folder = await installPackages('library-pages', LIBRARIES, AbortSignal.timeout(INSTALLING_MS))
const pages = join(folder, 'pages')
rmSync(pages, { recursive: true, force: true })
cpSync(path('bench/library-pages'), pages, { recursive: true })
compileSvelte(pages)
const names = readdirSync(pages, { recursive: true })
  .filter((name) => name.endsWith('.html') && name.startsWith(values.only))
  .map((name) => `pages/${name.replace('.html', '')}`)
  .sort()

const { rows, share, wrong } = await measurePages({ folder, names, lane: values.lane })
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, undefined, 2))
if (share < MIN_SHARE_PERCENT || wrong > 0) process.exitCode = 1
