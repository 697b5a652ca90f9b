// Renders damaged media and HTML, which a seed and a number make again, and reports what a hostile input can do: npm run lab -- fuzz.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeInput } from './fuzz/input.mjs'
import { openLane } from './fuzz/lane.mjs'
import { makeMedia, readProjects } from './fuzz/samples.mjs'
import { openCanary } from './fuzz/traces.mjs'

const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    jobs: { type: 'string', default: String(Math.min(4, cpus().length)) },
    findings: { type: 'string', default: join(tmpdir(), 'vid-fuzz-findings') },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const usage = `npm run lab -- fuzz [--count 2000] [--seed 1] [--first 0] [--jobs N] [--findings FOLDER] [--verbose]

--first     number of the first input; --first 123 --count 1 repeats input 123
--jobs      processes that render side by side
--findings  folder in which the files of each finding are kept
--verbose   a line for each input`

const [count, seed, first, jobs] = [flags.count, flags.seed, flags.first, flags.jobs].map(Number)
if (flags.help || ![count, seed, first, jobs].every((value) => Number.isInteger(value) && value >= 0) || jobs < 1) {
  console.log(usage)
  process.exit(flags.help ? 0 : 2)
}

const work = mkdtempSync(join(tmpdir(), 'vid-fuzz-'))
const findingsFolder = resolve(flags.findings)
const codes = new Map()
const slowest = []
let next = first
let done = 0
let total = 0

let isStopped = false
// What runs is ended and looked after, so that a part of the inputs gives a whole report.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    isStopped = true
  })

const add = (key) => codes.set(key, (codes.get(key) ?? 0) + 1)
const report = (title, findings) => {
  total += findings.length
  for (const finding of findings) console.log(`FINDING ${title}\n  ${finding.replaceAll('\n', '\n  ')}`)
}
const keep = (input, findings, project) => {
  const folder = join(findingsFolder, `${seed}-${input.number}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(project, join(folder, 'project'), { recursive: true })
  const { what, entry, settings } = input
  writeFileSync(
    join(folder, 'finding.json'),
    JSON.stringify({ seed, number: input.number, what, entry, settings, findings }, null, 2),
  )
}

const runLane = async (index, samples, canary) => {
  const secretBytes = samples.media['h264.mp4']
  const lane = await openLane({
    folder: join(work, `lane-${index}`),
    cache: join(work, 'cache'),
    secretBytes,
  })
  if (!lane.seesReading) console.log('this file system records no reading: only changes of files outside are seen')
  while (next < first + count && !isStopped) {
    const number = next++
    const input = makeInput(seed, number, samples, { secret: lane.secretFile, host: canary.host })
    const { result, findings, project } = await lane.run(input)
    const code = result.rendered?.error?.code ?? (result.rendered ? 'rendered' : 'no answer')
    add(code)
    for (const warning of new Set(result.rendered?.warnings)) add(`rendered with ${warning}`)
    slowest.push({ number, ms: result.ms ?? Number.POSITIVE_INFINITY, what: input.what, code })
    if (findings.length > 0) {
      keep(input, findings, project)
      report(`seed ${seed} number ${number} (${input.what})`, findings)
    }
    done += 1
    if (flags.verbose) console.log(`${number} ${Math.round(result.ms)} ms ${code} (${input.what})`)
    else if (done % 100 === 0) console.log(`${done} of ${count}, ${total} findings`)
  }
  report(`at the end of process ${index}`, await lane.close())
}

const startMs = performance.now()
const canary = await openCanary()
try {
  const samples = { media: await makeMedia(join(work, 'media')), projects: readProjects() }
  await Promise.all(Array.from({ length: jobs }, (_, index) => runLane(index, samples, canary)))
} finally {
  canary.close()
  rmSync(work, { recursive: true, force: true })
}
if (canary.visits() > 0) report('the network', [`${canary.visits()} connections to an address that no input may reach`])
for (const [code, times] of [...codes].sort(([, a], [, b]) => b - a))
  console.log(`${String(times).padStart(6)}  ${code}`)
for (const { number, ms, what, code } of slowest.sort((a, b) => b.ms - a.ms).slice(0, 5))
  console.log(`slow: ${number} took ${(ms / 1000).toFixed(1)} s, ${code} (${what})`)
const seconds = (performance.now() - startMs) / 1000
console.log(
  `${done} inputs of seed ${seed} in ${seconds.toFixed(0)} s: ${total} findings${total > 0 ? `, kept in ${findingsFolder}` : ''}`,
)
process.exitCode = total > 0 ? 1 : 0
