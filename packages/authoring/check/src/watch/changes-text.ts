import type { CheckResult } from '../events.ts'
import { compareFindings } from './compare-findings.ts'

const listed = (findings: CheckResult['findings']) =>
  findings.map(({ rule, where }) => `${rule}${where.element === null ? '' : ` at ${where.element}`}`).join(', ')

/** What is new in a check, and what is mended, in one line. */
export const changesText = (before: CheckResult, after: CheckResult): string => {
  const { added, mended } = compareFindings(before.findings, after.findings)
  const parts = [added.length > 0 && `new: ${listed(added)}`, mended.length > 0 && `mended: ${listed(mended)}`].filter(
    Boolean,
  )
  return `Since the check before: ${parts.join('; ') || 'no finding is new, none is mended'}.`
}
