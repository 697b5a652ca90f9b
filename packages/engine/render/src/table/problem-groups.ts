import type { VidError, Warning } from '@vid/protocol'
import { rowsText, sentence } from '../row-words.ts'
import type { RowProblem } from './listed-row.ts'

/** Mistakes that are shown one by one: with their hints, they and the rest have at most twenty lines. */
const MAX_SHOWN = 9

/** One mistake, in all rows that have it. */
export interface ProblemGroup {
  readonly code: string
  /** Empty for one of the whole list. */
  readonly rows: readonly number[]
  readonly column?: string
  readonly variable?: string
  /** Where it is and what it is, as a whole sentence. */
  readonly message: string
  /** What it is, without the rows. */
  readonly problem: string
  /** Whether every row of the list has it. */
  readonly isWhole: boolean
  readonly isFatal: boolean
  readonly isLoose: boolean
}

const groupOf = (
  problems: readonly [RowProblem, ...RowProblem[]],
  { called, total }: { readonly called: string; readonly total: number },
): ProblemGroup => {
  const [first] = problems
  const { code, message, column, variable, isFatal = false, isLoose = false } = first
  const rows = [...new Set(problems.flatMap(({ row }) => row ?? []))]
  const isSame = problems.every((other) => other.message === message)
  const place = column === undefined ? '' : `, ${column}`
  const isWhole = rows.length === 0 || (isSame && rows.length > 1 && rows.length === total)
  const facts = {
    code,
    rows,
    ...(column && { column }),
    ...(variable && { variable }),
    problem: message,
    isWhole,
    isFatal,
    isLoose,
  }
  if (rows.length === 0) return { ...facts, message }
  if (isWhole) {
    const counted = `${message.replace(/\.$/, '')} (${rows.length} ${called}s).`
    return { ...facts, message: column === undefined ? counted : `${sentence(column)}: ${counted}` }
  }
  const differs = isSame ? '' : ', in the first of them'
  return { ...facts, message: `${sentence(rowsText(called, rows))}${place}${differs}: ${message}` }
}

/** Problems of rows as mistakes, each of them once, in the order in which they come first. */
export const groupProblems = (
  problems: readonly RowProblem[],
  options: { readonly called: string; readonly total: number },
): readonly ProblemGroup[] => {
  const kinds = new Map<string, [RowProblem, ...RowProblem[]]>()
  for (const problem of problems) {
    const group = kinds.get(problem.kind)
    if (group) group.push(problem)
    else kinds.set(problem.kind, [problem])
  }
  return [...kinds.values()].map((group) => groupOf(group, options))
}

/** What becomes of the mistakes of a list. */
export interface ProblemRules {
  readonly isStrict: boolean
  /** The word for a row in messages, such as `line`. */
  readonly called: string
  /** Creates the warning of a mistake, where it is not about values that do not fit. */
  warn?(group: ProblemGroup): Warning | undefined
  /** Creates the error of a mistake. */
  refuse(group: ProblemGroup): VidError
  /** Creates the error that stands for those that are not shown. */
  refuseRest(more: number): VidError
}

/** Mistakes as errors, and, without strict checking, those that a video can be made of as warnings. */
export const judgeProblems = (
  groups: readonly ProblemGroup[],
  { isStrict, called, warn, refuse, refuseRest }: ProblemRules,
): { readonly errors: readonly VidError[]; readonly warnings: readonly Warning[] } => {
  const isError = ({ isFatal, isLoose }: ProblemGroup) => isFatal || (isStrict && !isLoose)
  const refused = groups.filter(isError)
  const errors = refused.slice(0, MAX_SHOWN).map(refuse)
  if (refused.length > MAX_SHOWN) errors.push(refuseRest(refused.length - MAX_SHOWN))
  const tolerated = groups.filter((group) => !isError(group))
  const hint = `Correct the ${called}, or refuse such ${called}s with --strict-variables.`
  const warnings: Warning[] = tolerated
    .slice(0, MAX_SHOWN)
    .map((group) => warn?.(group) ?? { code: group.code, message: group.message, hint })
  const [next] = tolerated.slice(MAX_SHOWN)
  if (next) {
    const more = tolerated.length - MAX_SHOWN
    warnings.push({
      code: next.code,
      message: `${more} more ${more === 1 ? 'mistake' : 'mistakes'}: --json lists all.`,
    })
  }
  return { errors, warnings }
}
