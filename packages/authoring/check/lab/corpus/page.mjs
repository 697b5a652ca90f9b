// The figures of the corpus: kept in bench/check-corpus/results.json, and written into docs/check-corpus.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { table } from '../../../../../scripts/markdown.mjs'
import { path } from '../../../../../scripts/workspaces.mjs'

const RESULTS = path('bench/check-corpus/results.json')
const PAGE = path('docs/check-corpus.md')
const MARKED = /(<!-- figures -->\n)[\s\S]*?(<!-- \/figures -->)/

/** Mistakes that the rules were not made for stand apart. */
const APART = 'unseen'

const SUM = ['entries', 'hits', 'alarms']

const sumOf = (rows) => Object.fromEntries(SUM.map((key) => [key, rows.reduce((sum, row) => sum + row[key], 0)]))

/** Results by program and group: `vid` and `peer`, each with `entries`, `hits` and `alarms`. */
export const readResults = () => JSON.parse(readFileSync(RESULTS, 'utf8'))

/** The results with the rows of a run in place of those of its groups. */
export const withRows = (results, program, rows) => ({
  ...results,
  [program]: {
    ...results[program],
    ...Object.fromEntries(rows.map(({ group, entries, hits, alarms }) => [group, { entries, hits, alarms }])),
  },
})

const cellsOf = (row) =>
  row ? [`${row.hits} of ${row.entries}`, `${row.alarms} of ${row.entries}`] : ['not run', 'not run']

/** The table of all groups, their sum, and what stands apart. */
export const figuresTable = ({ vid, peer }) => {
  const groups = Object.keys(vid).filter((group) => group !== APART)
  const sums = [vid, peer].map((of) => sumOf(groups.flatMap((group) => of[group] ?? [])))
  const rows = groups.map((group) => [group, ...cellsOf(vid[group]), ...cellsOf(peer[group])])
  return table([
    ['Group', 'Found', 'False alarms', 'HyperFrames: found', 'false alarms'],
    ...rows,
    ['all', ...sums.flatMap(cellsOf)],
    [APART, ...cellsOf(vid[APART]), ...cellsOf(peer[APART])],
  ])
}

const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`

const sentenceOf = ({ vid }) => {
  const { entries, hits, alarms } = sumOf(Object.entries(vid).flatMap(([group, row]) => (group === APART ? [] : row)))
  return `That is a recall of ${percent(hits, entries)}, with false alarms in ${percent(alarms, entries)} of the correct compositions.`
}

/** The page with the figures of some results. */
export const pageWith = (page, results) =>
  page.replace(MARKED, `$1\n${figuresTable(results)}\n\n${sentenceOf(results)}\n\n$2`)

export const readPage = () => readFileSync(PAGE, 'utf8')

/** Keeps results, and writes them into the page. */
export const writeFigures = (results) => {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(PAGE, pageWith(readPage(), results))
}
