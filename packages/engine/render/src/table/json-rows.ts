import { describeCause, isTooDeep, MAX_NESTING, type VidError } from '@vid/protocol'
import { fail, throwSettingErrors } from '../errors.ts'
import type { RowCounting } from '../row-words.ts'
import type { BatchRow, RowProblem } from './listed-row.ts'
import { groupProblems, judgeProblems } from './problem-groups.ts'

const isObject = (value: unknown): value is BatchRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const describe = (value: unknown) => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}

/** The reason why a value is not a row; undefined if it is one. */
export const rowProblem = (value: unknown): string | undefined => {
  if (!isObject(value)) return `it is ${describe(value)}, not an object`
  return isTooDeep(value) ? `it nests deeper than ${MAX_NESTING} levels` : undefined
}

/** The error of rows with one problem. */
export const rowError = (rows: readonly number[], problem: string, counted: RowCounting): VidError =>
  fail('VID_BATCH_ROW', { rows, problem, counted })

/** A problem that no video can be made with; `problem` continues "Row 3 cannot be rendered". */
export const fatalProblem = (row: number, problem: string, kind = problem): RowProblem => ({
  row,
  kind,
  code: rowError([row], problem, 'index').code,
  message: problem,
  isFatal: true,
})

/** Whether a code is that of such a problem. */
export const isRowProblem = (code: string): boolean => code === rowError([], '', 'index').code

/** An error for each problem, with all rows that have it. */
const problemErrors = (
  problems: readonly (readonly [row: number, problem: string])[],
  counted: RowCounting,
): readonly VidError[] => {
  const fatal = problems.map(([row, problem]) => fatalProblem(row, problem))
  const groups = groupProblems(fatal, { called: 'row', total: Infinity })
  return judgeProblems(groups, {
    isStrict: true,
    called: 'row',
    refuse: ({ rows, problem }) => rowError(rows, problem, counted),
    refuseRest: (more) => fail('VID_BATCH_REST', { more }),
  }).errors
}

const problemsOf = (rows: readonly unknown[], numberOf: (index: number) => number) =>
  rows.flatMap((row, index) => {
    const problem = rowProblem(row)
    return problem === undefined ? [] : [[numberOf(index), problem] as const]
  })

/** The rows of a batch: an array of objects, or an object with such an array in `rows`; `path` names it in errors. */
export const checkRows = (value: unknown, path: string): BatchRow[] => {
  const rows = isObject(value) ? value.rows : value
  if (!Array.isArray(rows))
    throw fail('VID_BATCH_SHAPE', { path, found: rows === undefined ? undefined : describe(rows) })
  if (rows.length === 0) throw fail('VID_BATCH_EMPTY', { path })
  throwSettingErrors(
    problemErrors(
      problemsOf(rows, (index) => index),
      'index',
    ),
  )
  return rows as BatchRow[]
}

/** The rows of a text with one JSON object a line, each with the number of its line. */
export const readJsonLines = (text: string, path: string): readonly (readonly [line: number, row: BatchRow])[] => {
  const problems: [number, string][] = []
  const rows: [number, BatchRow][] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      const row: unknown = JSON.parse(line)
      const problem = rowProblem(row)
      if (problem === undefined) rows.push([index + 1, row as BatchRow])
      else problems.push([index + 1, problem])
    } catch (cause) {
      problems.push([index + 1, `it is not JSON: ${describeCause(cause)}`])
    }
  }
  throwSettingErrors(problemErrors(problems, 'line'))
  if (rows.length === 0) throw fail('VID_BATCH_EMPTY', { path })
  return rows
}

/** The rows of a JSON text. */
export const readJson = (text: string, path: string): BatchRow[] => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw fail('VID_BATCH_JSON', { path, reason: describeCause(cause) }, { cause })
  }
  return checkRows(value, path)
}
