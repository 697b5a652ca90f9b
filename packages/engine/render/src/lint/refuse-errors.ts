import type { Finding } from '@vid/core/lint'
import { fail } from '../errors.ts'
import { findingLine } from './findings.ts'

/** Errors that a message lists; the rest is only counted. */
const MAX_SHOWN = 100

/** The errors among findings: the first as lines, and how many there are. */
export interface LintErrors {
  readonly lines: readonly string[]
  readonly errors: number
}

/** Counts the errors among findings. */
export const errorsAmong = (findings: readonly Finding[]): LintErrors => {
  const errors = findings.filter(({ severity }) => severity === 'error')
  return { lines: errors.slice(0, MAX_SHOWN).map(findingLine), errors: errors.length }
}

/** Refuses a composition with errors; `dir` names it in the hint. */
export const refuseCounted = ({ lines, errors }: LintErrors, dir: string): void => {
  if (errors > 0) throw fail('VID_LINT_STRICT', { findings: lines, errors, dir })
}

/** Refuses a composition that lint finds errors in; `dir` names it in the hint. */
export const refuseErrors = (findings: readonly Finding[], dir: string): void =>
  refuseCounted(errorsAmong(findings), dir)
