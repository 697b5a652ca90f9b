// A batch of short videos, against what capturing and encoding its rows takes alone.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { path } from '../../scripts/workspaces.mjs'
import { measureRun } from './measured-run.mjs'

/** Its name for `--only`. */
export const BATCH = 'batch'

const project = path('bench/batch')
const rowsFile = join(project, 'rows.json')

/** The command, from its start to its end. */
const measureBatch = async (folder, quality, signal) => {
  const args = ['render', project, '--batch', rowsFile, '--output', join(folder, '{name}.mp4')]
  const flags = ['--no-cache', '--json', '--quality', quality]
  return measureRun(process.execPath, [path('packages/engine/cli/bin/vid.js'), ...args, ...flags], {
    memory: true,
    signal,
  })
}

/** Time and CPU from the first request for a frame of a row until its last one is encoded, summed over rows made apart. */
const measureApart = async (folder, quality, signal) => {
  const sum = { wallMs: 0, cpuMs: 0 }
  let from
  const onLine = (line, reading) => {
    const now = reading()
    if (line === 'execute') from = now
    else if (from) {
      sum.wallMs += now.wallMs - from.wallMs
      sum.cpuMs += now.cpuMs - from.cpuMs
      from = undefined
    }
  }
  const script = path('bench/measure/rows-apart.mjs')
  await measureRun(process.execPath, [script, project, rowsFile, folder, quality], { onLine, signal })
  return sum
}

/** The run with the median ratio of several pairs. */
export const benchBatch = async ({ runs, quality, signal }) => {
  const folder = mkdtempSync(join(tmpdir(), 'vid-bench-'))
  try {
    const all = []
    for (let run = 0; run < runs; run += 1) {
      const apart = await measureApart(folder, quality, signal)
      const whole = await measureBatch(folder, quality, signal)
      all.push({ whole, apart, timesApart: whole.wallMs / apart.wallMs })
    }
    const median = all.sort((a, b) => a.timesApart - b.timesApart)[Math.floor((runs - 1) / 2)]
    return { composition: BATCH, quality, runs, rows: JSON.parse(readFileSync(rowsFile)).length, ...median }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`

/** What `benchBatch` found, in words. */
export const describeBatch = ({ rows, quality, whole, apart, timesApart }) => `
a batch of ${rows}: ${quality}

  whole                     ${seconds(whole.wallMs)} wall ${seconds(whole.cpuMs)} CPU
  capture and encode alone  ${seconds(apart.wallMs)} wall ${seconds(apart.cpuMs)} CPU

  ${timesApart.toFixed(2)} times capture and encode alone (wall), ${(whole.cpuMs / apart.cpuMs).toFixed(2)} times (CPU), peak memory ${Math.round(whole.memoryBytes / 2 ** 20)} MiB`
