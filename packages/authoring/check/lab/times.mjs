// Measures vid check of a composition of a minute: its time, its processor time by threads, and the answer to a save with --watch.
// Times mean something only while nothing else runs. npm run lab -- check-times [--times 3] [--saves 5] [--threads].
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { followTree } from '../../../../bench/measure/process-tree.mjs'
import { path } from '../../../../scripts/workspaces.mjs'

const SAMPLE_MS = 100

/** Words of the fifth scene of the composition, which stand in each other's place after each save. */
const WORDS = ['Lunch', 'Break']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '3' },
    saves: { type: 'string', default: '5' },
    threads: { type: 'boolean', default: false },
  },
})
const [composition = path('bench/reuse')] = positionals

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`

const startCheck = (folder, ...flags) =>
  spawn(process.execPath, [path('packages/engine/cli/bin/vid.js'), 'check', folder, '--json', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Checks the composition once. */
const measureCheck = async () => {
  const startMs = performance.now()
  const child = startCheck(composition)
  const tree = followTree(child.pid)
  const threads = new Map()
  // A thread that ends between two samples is known by the one before.
  const sample = () => {
    for (const { id, name, cpuMs } of tree.threads()) threads.set(id, { name, cpuMs })
  }
  const timer = setInterval(sample, SAMPLE_MS)
  child.stdout.resume()
  await once(child, 'close')
  clearInterval(timer)
  const byName = {}
  for (const { name, cpuMs } of threads.values()) byName[name] = (byName[name] ?? 0) + cpuMs
  const cpu = Object.entries(byName).map(([name, cpuMs]) => ({ name, cpuMs }))
  return { wallMs: performance.now() - startMs, cpu: cpu.toSorted((one, other) => other.cpuMs - one.cpuMs) }
}

/** Milliseconds from each save of one scene to the answer. */
const measureSaves = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-check-times-'))
  try {
    await cp(composition, folder, { recursive: true })
    const file = join(folder, 'index.html')
    const text = await readFile(file, 'utf8')
    const child = startCheck(folder, '--watch')
    const events = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    await events.next()
    const answers = []
    for (let index = 0; index < Number(values.saves); index += 1) {
      const startMs = performance.now()
      await writeFile(file, index % 2 === 0 ? text.replace(...WORDS) : text)
      await events.next()
      answers.push(performance.now() - startMs)
    }
    child.kill('SIGINT')
    await once(child, 'close')
    return answers
  } finally {
    await rm(folder, { recursive: true })
  }
}

const runs = []
for (let index = 0; index < Number(values.times); index += 1) runs.push(await measureCheck())
const cpuMsOf = ({ cpu }) => cpu.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
for (const run of runs) console.log(`check  ${seconds(run.wallMs)} wall  ${seconds(cpuMsOf(run))} CPU`)
if (values.threads)
  for (const { name } of runs[0].cpu.slice(0, 24)) {
    const times = runs.map(({ cpu }) => cpu.find((thread) => thread.name === name)?.cpuMs ?? 0)
    console.log(`  ${seconds(median(times)).padStart(9)}  ${name}`)
  }
const answers = Number(values.saves) > 0 ? await measureSaves() : []
for (const ms of answers) console.log(`save   ${seconds(ms)}`)
