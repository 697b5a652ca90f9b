// Compares every frame of random pages in the chosen lane with screenshots:
// npm run lab -- random-pages [--count 120] [--seed 1] [--lane raster] [--keep FOLDER].
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measurePages } from './lanes/measure-pages.mjs'
import { randomPage } from './random-pages/page.mjs'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    lane: { type: 'string', default: 'auto' },
    keep: { type: 'string' },
  },
})

const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'random-pages-'))
try {
  mkdirSync(folder, { recursive: true })
  const seeds = Array.from({ length: Number(values.count) }, (_, index) => Number(values.seed) + index)
  for (const seed of seeds) writeFileSync(join(folder, `page-${seed}.html`), randomPage(seed))
  const names = seeds.map((seed) => `page-${seed}`)
  const { wrong, share } = await measurePages({ folder, names, lane: values.lane })
  if (wrong > 0 || share < 100) process.exitCode = 1
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true })
}
