import type { Finding } from '@vid/core/lint'
import { fail } from '../errors.ts'
import { findingLine } from './findings.ts'

/** Refuses a composition that lint finds errors in; `dir` names it in the hint. */
export const refuseErrors = (findings: readonly Finding[], dir: string): void => {
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw fail('VID_LINT_STRICT', { findings: errors.map(findingLine), dir })
}
