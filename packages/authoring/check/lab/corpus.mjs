// Runs vid check over the corpus of seeded defects: npm run lab -- check-corpus [--only text/] [--keep FOLDER] [--json FILE].
// With --write, the figures of whole groups go into docs/check-corpus.md.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { path } from '../../../../scripts/workspaces.mjs'
import { readEntries } from './corpus/entries.mjs'
import { judge, totals } from './corpus/judge.mjs'
import { readResults, withRows, writeFigures } from './corpus/page.mjs'
import { openPeer } from './corpus/run-peer.mjs'
import { openVid } from './corpus/run-vid.mjs'
import { tableOf } from './corpus/table.mjs'
import { writeComposition } from './corpus/write-composition.mjs'

const MIN_RECALL_PERCENT = 95
const MAX_FALSE_ALARMS_PERCENT = 2

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    peer: { type: 'string' },
    keep: { type: 'string' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(cpus().length) },
  },
})

const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort())
const { signal } = stop

const scratch = values.keep === undefined ? await mkdtemp(join(tmpdir(), 'check-corpus-')) : resolve(values.keep)
await mkdir(scratch, { recursive: true })
// Libraries such as GSAP come from the packages of this repository.
await symlink(path('node_modules'), join(scratch, 'node_modules')).catch(() => {})

const all = await readEntries()
const entries = all.filter(({ name }) => name.startsWith(values.only))
const program = values.peer === undefined ? await openVid(signal) : openPeer(values.peer)

const media = { folder: join(scratch, 'media'), files: new Map() }

const checkSide = async (entry, side) => {
  const folder = join(scratch, entry.name, side)
  await writeComposition(entry, side, folder, { media, signal, convert: program.convert })
  try {
    return await program.check(folder, entry.flags, signal)
  } catch (error) {
    // An error that ends a check is no finding, and in a correct composition it is a false alarm.
    return [
      { rule: `error ${error.code ?? error.name}`, level: 'error', from: 0, to: 0, where: {}, message: error.message },
    ]
  }
}

const verdicts = []
const queue = [...entries]
const work = async () => {
  for (let entry = queue.shift(); entry && !signal.aborted; entry = queue.shift()) {
    const verdict = judge(
      entry,
      { wrong: await checkSide(entry, 'wrong'), right: await checkSide(entry, 'right') },
      program,
    )
    verdicts.push(verdict)
    if (verdict.miss !== null) console.error(`missed  ${entry.name}: ${entry.rule} ${verdict.miss}`)
    for (const { rule, message } of verdict.alarms) console.error(`alarm   ${entry.name}: ${rule} ${message}`)
  }
}

const startMs = performance.now()
try {
  await Promise.all(Array.from({ length: Number(values.jobs) }, work))
} finally {
  await program.close()
  if (values.keep === undefined) await rm(scratch, { recursive: true })
}
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(verdicts, null, 1)}\n`)

const rows = totals(verdicts)
console.log(
  `${program.name}: ${entries.length} defects and their correct twins, ${((performance.now() - startMs) / 1000).toFixed(0)} s\n`,
)
console.log(tableOf(rows))
if (values.write && !signal.aborted) {
  const sizeOf = (group) => all.filter((entry) => entry.group === group).length
  const whole = rows.filter(({ group, entries: count }) => group !== 'all' && count === sizeOf(group))
  writeFigures(withRows(readResults(), values.peer === undefined ? 'vid' : 'peer', whole))
}
const { recall, falseAlarms } = rows.at(-1)
const isGood = recall >= MIN_RECALL_PERCENT && falseAlarms <= MAX_FALSE_ALARMS_PERCENT
if (signal.aborted || (values.peer === undefined && !isGood)) process.exitCode = 1
