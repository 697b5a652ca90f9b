import type { Warning } from '@vid/protocol'
import { fail } from '../errors.ts'
import { issueWarning, restWarning, type VariableIssue } from './variables.ts'

/** An issue, and where its value is written; empty for a value of the caller. */
export interface PlacedIssue {
  readonly issue: VariableIssue
  readonly place: string
}

/** Values that do not fit and are warned of one by one. */
const MAX_WARNINGS = 50

/** The warnings about values that do not fit; throws VID_VARIABLES_STRICT in place of them under strict checking. */
export const issueWarnings = (issues: readonly PlacedIssue[], isStrict: boolean): Warning[] => {
  const warningOf = ({ issue, place }: PlacedIssue) => issueWarning(issue, place)
  if (isStrict && issues.length > 0)
    throw fail('VID_VARIABLES_STRICT', { issues: issues.map((issue) => warningOf(issue).message) })
  // A list of any length would hide all other warnings, and keep this thread for minutes.
  const [next] = issues.slice(MAX_WARNINGS)
  const rest = next ? [restWarning(next.issue, issues.length - MAX_WARNINGS)] : []
  return [...issues.slice(0, MAX_WARNINGS).map(warningOf), ...rest]
}
