// Measures a render on 1, 2, 4, 8 and 16 cores, with the number of workers that vid chooses and every other one: npm run lab -- cores.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, hostname, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { path } from '../scripts/workspaces.mjs'
import { allowedCores, limitedCommand } from './measure/limited-command.mjs'
import { measureRun } from './measure/measured-run.mjs'

const CORES = [1, 2, 4, 8, 16]
const WORKERS = ['auto', 1, 2, 3, 4, 6, 8]

const usage = `npm run lab -- cores [--only COMPOSITION] [--quality QUALITY] [--cores 1,2] [--workers auto,1] [--runs N] [--machine NAME]

--only     a composition of bench/compositions (default cards)
--quality  of the render (default draft)
--cores    numbers of cores, of ${CORES.join(', ')}; as many as this machine has if left out
--workers  of ${WORKERS.join(', ')}; all up to twice the cores if left out
--runs     renders of each kind, in turn; their median counts (default 3)
--machine  its name in the table (default its host name and processor)`

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: 'cards' },
    quality: { type: 'string', default: 'draft' },
    cores: { type: 'string' },
    workers: { type: 'string' },
    runs: { type: 'string', default: '3' },
    machine: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(usage)
  process.exit()
}

const listOf = (text, all, otherwise) => {
  if (text === undefined) return otherwise
  const values = text.split(',').map((value) => (value === 'auto' ? value : Number(value)))
  const unknown = values.find((value) => !all.includes(value))
  if (unknown === undefined) return values
  console.error(`${unknown} is not in the list\n\n${usage}`)
  process.exit(2)
}

const available = allowedCores().length
const interrupt = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => interrupt.abort())

const render = async (cores, workers) => {
  const folder = mkdtempSync(join(tmpdir(), 'vid-cores-'))
  const composition = path(`bench/compositions/${flags.only}`)
  const words = ['render', composition, '--quality', flags.quality, '--workers', `${workers}`, '--no-cache', '--json']
  const vid = [path('packages/engine/cli/bin/vid.js'), ...words, '--output', join(folder, 'video.mp4')]
  const { way, command, args, remove } = limitedCommand(cores, process.execPath, vid)
  try {
    return { way, ...(await measureRun(command, args, { signal: interrupt.signal })) }
  } finally {
    remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

const medianOf = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

const measureCores = async (cores) => {
  const possible = WORKERS.filter((count) => count === 'auto' || count <= 2 * cores)
  const kinds = listOf(flags.workers, WORKERS, possible).map((workers) => ({ workers, runs: [] }))
  for (let run = 0; run < Number(flags.runs); run++)
    for (const { workers, runs } of kinds) runs.push(await render(cores, workers))
  const row = kinds.map(({ workers, runs }) => {
    const seconds = (medianOf(runs.map(({ wallMs }) => wallMs)) / 1000).toFixed(2)
    const chosen = workers === 'auto' ? ` (${medianOf(runs.map(({ browsers }) => browsers))})` : ''
    return [`${workers}`, `${seconds} s${chosen}`]
  })
  return { cores, way: kinds[0].runs[0].way, times: Object.fromEntries(row) }
}

const machine = flags.machine ?? `${hostname()}: ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`
console.log(`${flags.only} at ${flags.quality}, ${available} cores of ${machine}, medians of ${flags.runs}\n`)
const rows = []
for (const cores of listOf(
  flags.cores,
  CORES,
  CORES.filter((count) => count <= available),
)) {
  if (cores > available) throw new Error(`this machine has ${available} cores, not ${cores}`)
  rows.push(await measureCores(cores))
}
const columns = WORKERS.map(String).filter((workers) => rows.some(({ times }) => times[workers]))
const line = (cells) => `| ${cells.join(' | ')} |`
const nameOf = (workers) =>
  workers === 'auto' ? '`auto` (chosen)' : workers === '1' ? '1 worker' : `${workers} workers`
console.log(line(['Cores', 'Limited by', ...columns.map(nameOf)]))
console.log(line(Array.from({ length: columns.length + 2 }, () => '---')))
for (const { cores, way, times } of rows)
  console.log(line([cores, way, ...columns.map((workers) => times[workers] ?? '')]))
