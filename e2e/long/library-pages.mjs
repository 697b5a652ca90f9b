// Renders pages made with popular libraries, and compares every frame of the chosen lane with screenshots:
// npm run lab -- library-pages [--only drawing/] [--lane begin-frame] [--json FILE].
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measurePages } from './lanes/measure-pages.mjs'
import { installLibraryPages } from './library-pages/install.mjs'

/** Share of the pages that the raster lane must capture. */
const MIN_SHARE_PERCENT = 95

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    lane: { type: 'string', default: 'auto' },
    json: { type: 'string' },
  },
})

const { folder, names } = await installLibraryPages(values.only)
const { rows, share, wrong } = await measurePages({ folder, names, lane: values.lane })
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, undefined, 2))
if (share < MIN_SHARE_PERCENT || wrong > 0) process.exitCode = 1
