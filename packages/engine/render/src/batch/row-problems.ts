import type { Composition } from '@vid/core'
import type { VidError, Warning } from '@vid/protocol'
import { fail } from '../errors.ts'
import { placeKey } from '../outputs/identity.ts'
import type { RowCounting } from '../row-words.ts'
import { fatalProblem, isRowProblem } from '../table/json-rows.ts'
import type { ListedRow, RowList, RowProblem } from '../table/listed-row.ts'
import { groupProblems, judgeProblems, type ProblemGroup } from '../table/problem-groups.ts'
import { renderWarning } from '../warnings.ts'
import { findCollisions, type RowOutput } from './collisions.ts'
import { rowLabel } from './manifest.ts'
import { type PlannedRow, pathsOf } from './planned-row.ts'

const numberOf = ({ number, row, index }: PlannedRow) => number ?? row ?? index

/** Rows with the output of an earlier row, the manifest, or a path inside the output of another row. */
export const collisionProblems = async (
  rows: readonly PlannedRow[],
  manifestPath: string,
): Promise<readonly RowProblem[]> => {
  const numbers = new Map<string, number>()
  const outputs: (RowOutput & { readonly number: number; readonly path: string })[] = []
  for (const planned of rows) {
    const row = rowLabel({ manifestPath }, planned)
    const number = numberOf(planned)
    numbers.set(row, number)
    for (const path of pathsOf(planned))
      outputs.push({ number, path, row, name: `output ${path}`, key: await placeKey(path) })
  }
  const collisions = findCollisions(outputs, { owners: [[await placeKey(manifestPath), 'the manifest']] })
  return collisions.flatMap(({ output: { number, path, key }, owner, problem }) => {
    const other = numbers.get(owner)
    const isSame = problem.includes('is also that of') && other !== undefined && other !== number
    if (!isSame) return [fatalProblem(number, problem)]
    const together = `they make the same file, ${path}`
    return [fatalProblem(other, together, `same ${key}`), fatalProblem(number, together, `same ${key}`)]
  })
}

/** Values of rows that do not fit the declarations; values that only name the output are none of variables. */
export const valueProblems = async (
  { rows, problems, columnOf }: RowList,
  { declarations }: Pick<Composition, 'declarations'>,
  placeholders: ReadonlySet<string>,
): Promise<readonly RowProblem[]> => {
  const { issueWarning, resolveVariables } = await import('@vid/core')
  const cellProblems = new Set(problems.map(({ row, variable }) => `${row} ${variable}`))
  return rows.flatMap(({ number, variables }) =>
    resolveVariables(declarations, variables).issues.flatMap((issue): RowProblem[] => {
      const { kind, variableId: variable } = issue
      if (kind === 'undeclared' && placeholders.has(variable)) return []
      if (cellProblems.has(`${number} ${variable}`)) return []
      const column = columnOf(variable)
      const { code, message } = issueWarning(issue)
      return [{ row: number, kind: `${kind} ${variable}`, code, message, variable, ...(column && { column }) }]
    }),
  )
}

/** The variables of a row without values that only name the output, which strict checking would refuse. */
export const withoutNames = (
  { variables }: Pick<ListedRow, 'variables'>,
  { declarations }: Pick<Composition, 'declarations'>,
  placeholders: ReadonlySet<string>,
): ListedRow['variables'] => {
  const isVariable = (name: string) => !placeholders.has(name) || declarations.some(({ id }) => id === name)
  return Object.fromEntries(Object.entries(variables).filter(([name]) => isVariable(name)))
}

const errorOf = ({ code, rows, message, problem, isWhole, column }: ProblemGroup, counted: RowCounting): VidError => {
  if (isRowProblem(code) || (!isWhole && column === undefined)) return fail('VID_BATCH_ROW', { rows, problem, counted })
  return fail('VID_BATCH_VALUE', { message, counted })
}

/** Warnings about rows whose messages are those of their mistakes. */
type OwnWarning = 'VID_BATCH_SOURCE' | 'VID_BATCH_COLUMN' | 'VID_BATCH_UNFIT'

const isOwnWarning = (code: string): code is OwnWarning =>
  ['VID_BATCH_SOURCE', 'VID_BATCH_COLUMN', 'VID_BATCH_UNFIT'].includes(code)

/** Each mistake once: errors, and warnings about what a video can be made of. */
export const judgeRows = (
  problems: readonly RowProblem[],
  { counted, total, isStrict }: { readonly counted: RowCounting; readonly total: number; readonly isStrict: boolean },
): {
  readonly groups: readonly ProblemGroup[]
  readonly errors: readonly VidError[]
  readonly warnings: readonly Warning[]
} => {
  const groups = groupProblems(problems, { called: 'row', total })
  const judged = judgeProblems(groups, {
    isStrict,
    called: 'row',
    warn: ({ code, message }) => (isOwnWarning(code) ? renderWarning(code, { message }) : undefined),
    refuse: (group) => errorOf(group, counted),
    refuseRest: (more) => fail('VID_BATCH_REST', { more }),
  })
  return { groups, ...judged }
}
