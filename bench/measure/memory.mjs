// The most memory that a render takes, and what it is made of.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { path } from '../../scripts/workspaces.mjs'
import { makeFootage } from './footage.mjs'
import { measureRun } from './measured-run.mjs'

/** What is measured unless it is named: pages that take little and much, and the example that draws on two canvases. */
export const MEMORY_COMPOSITIONS = {
  cards: 'bench/compositions/cards',
  'full-motion': 'bench/compositions/full-motion',
  'static-slides': 'bench/compositions/static-slides',
  footage: 'bench/compositions/footage',
  hello: 'examples/hello',
}

const renderOnce = async (folder, name, flags, signal) => {
  if (name === 'footage') await makeFootage(signal)
  const output = join(folder, 'video.mp4')
  const args = [path('packages/engine/cli/bin/vid.js'), 'render', path(MEMORY_COMPOSITIONS[name])]
  return measureRun(process.execPath, [...args, '--no-cache', '--force', '--quiet', '--output', output, ...flags], {
    memory: true,
    signal,
  })
}

/** The run with the median peak of each composition; `flags` are of `vid render`. */
export const benchMemory = async ({ names, runs, flags, signal, onRow }) => {
  const folder = mkdtempSync(join(tmpdir(), 'vid-bench-'))
  const rows = []
  try {
    for (const composition of names) {
      const all = []
      for (let run = 0; run < runs; run += 1) all.push(await renderOnce(folder, composition, flags, signal))
      const peaks = all.toSorted((a, b) => a.memoryBytes - b.memoryBytes)
      const { memoryBytes, memoryParts } = peaks[Math.floor((runs - 1) / 2)]
      rows.push({ composition, flags, runs, memoryBytes, memoryParts, maxBytes: peaks.at(-1).memoryBytes })
      onRow(rows.at(-1))
    }
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const mebibytes = (bytes) => `${Math.round(bytes / 2 ** 20)} MiB`

/** A row as text: the peak, and its parts from the largest on. */
export const describeMemory = ({ composition, flags, memoryBytes, memoryParts, maxBytes }) => {
  const parts = Object.entries(memoryParts).toSorted(([, one], [, other]) => other - one)
  const text = parts.map(([part, bytes]) => `${part} ${Math.round(bytes / 2 ** 20)}`).join(', ')
  return `${composition} ${flags.join(' ')}: ${mebibytes(memoryBytes)} (${text}); at most ${mebibytes(maxBytes)}`
}
