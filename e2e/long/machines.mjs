// Tries vid on the machines that users have, and prints a table of what it does on each: npm run lab -- machines. It needs Linux with unshare.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cells } from './machines/cells.mjs'
import { makeHello, makeProject } from './machines/composition.mjs'
import { missingPrograms } from './machines/programs.mjs'
import { tryMachine } from './machines/trial.mjs'

const { values: flags } = parseArgs({ options: { only: { type: 'string', default: '' } } })

const work = mkdtempSync(join(tmpdir(), 'vid-machines-'))
// The other user finds the compositions there.
chmodSync(work, 0o755)
const digests = {}
let failed = 0
const row = (...columns) => console.log(`| ${columns.join(' | ')} |`)

const verdictOf = ({ problems, refusals }, { warns = [], doctor = [] }) => {
  if (problems.length > 0) return ['**wrong**', problems.join('<br>').replace(/\s+/g, ' ').replaceAll('|', '\\|')]
  const truths = [...warns, ...doctor.map((name) => `doctor: ${name}`)]
  if (refusals.length > 0) return ['refused', [...refusals, ...truths].join(', ').replaceAll('|', ' or ')]
  return ['ok', truths.join(', ')]
}

try {
  const compositions = [makeHello(join(work, 'hello')), makeProject(join(work, 'film'))]
  row('Machine', 'ffmpeg', 'Sandbox', 'Verdict', 'Why')
  row('---', '---', '---', '---', '---')
  for (const cell of cells.filter(({ name }) => new RegExp(flags.only).test(name))) {
    const missing = missingPrograms(cell)
    const [verdict, why] =
      missing.length > 0
        ? ['not tried', `this machine has no ${missing.join(', ')}`]
        : verdictOf(await tryMachine(work, cell, compositions, digests), cell)
    if (verdict === '**wrong**') failed += 1
    row(cell.name, cell.ffmpeg, cell.sandbox, verdict, why)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
console.log(`\n${failed} of the machines are wrong.`)
if (failed > 0) process.exitCode = 1
