// Makes every operation on every composition of the galleries in place of one, compares all frames, and writes the counts into
// docs/edit.md: node packages/authoring/edit/lab/renders.mjs [--results FILE] [flags of vitest]. A file of results keeps those of other runs.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { table } from '../../../../scripts/markdown.mjs'
import { path } from '../../../../scripts/workspaces.mjs'

const PAGE = 'docs/edit.md'
const MARKED = /(<!-- edit-renders -->\n)[\s\S]*?(<!-- \/edit-renders -->)/

/** What becomes of an operation that is not refused. */
const OUTCOMES = ['differs where it may', 'equal', 'no change', 'fails as noted', 'wrong']

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

/** A row for each operation and one for all: the trials, and how many had each outcome and each refusal. */
const tableOf = (trials) => {
  const codes = [...new Set(trials.map(({ outcome }) => outcome))].filter((outcome) => !OUTCOMES.includes(outcome))
  const columns = [...OUTCOMES, ...codes.sort()].filter(
    (column) => column !== 'wrong' || trials.some(({ outcome }) => outcome === column),
  )
  const names = [...new Set(trials.map(({ op }) => op))]
  const countsOf = (some) => columns.map((column) => some.filter(({ outcome }) => outcome === column).length)
  const rowOf = (name, some) => [name, ...[some.length, ...countsOf(some)].map(String)]
  return table([
    ['`op`', 'Tried', ...columns.map((column) => (OUTCOMES.includes(column) ? column : `\`${column}\``))],
    ...names.map((name) =>
      rowOf(
        `\`${name}\``,
        trials.filter(({ op }) => op === name),
      ),
    ),
    rowOf('all', trials),
  ])
}

const [option, file, ...others] = process.argv.slice(2)
const isKept = option === '--results'
const flags = isKept ? others : process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'vid-edit-renders-'))
const results = isKept ? resolve(file) : join(folder, 'results.json')
try {
  const { status } = spawnSync(
    'vitest',
    ['run', '--config', 'e2e/vitest.config.ts', 'e2e/commands/edit-renders.test.ts', ...flags],
    { cwd: path(''), stdio: 'inherit', env: { ...process.env, VID_EDIT_RENDERS: results } },
  )
  process.exitCode = status ?? 1
  const tried = existsSync(results) ? Object.values(JSON.parse(readFileSync(results, 'utf8'))) : []
  const trials = tried.flat()
  if (trials.length > 0) {
    const right = sum(OUTCOMES.slice(0, -1).map((name) => trials.filter(({ outcome }) => outcome === name).length))
    const wrong = trials.filter(({ outcome }) => outcome === 'wrong').length
    const counts = `${tried.length} compositions, ${trials.length} operations: ${right} right, ${trials.length - right - wrong} refused, ${wrong} wrong.`
    const page = readFileSync(path(PAGE), 'utf8')
    writeFileSync(path(PAGE), page.replace(MARKED, `$1\n${counts}\n\n${tableOf(trials)}\n\n$2`))
    console.log(counts)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
