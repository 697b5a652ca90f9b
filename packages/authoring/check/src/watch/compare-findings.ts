import type { CheckFinding } from '../events.ts'

/** What a save has changed. */
export interface FindingChanges {
  readonly added: readonly CheckFinding[]
  readonly mended: readonly CheckFinding[]
}

const keyOf = ({ rule, where, variables, message }: CheckFinding) =>
  JSON.stringify([rule, where.element, variables, where.element === null ? message.replace(/[\d.]+/g, '#') : ''])

/** The findings that one check has and the other has not: a finding stays the same while its numbers change. */
export const compareFindings = (before: readonly CheckFinding[], after: readonly CheckFinding[]): FindingChanges => {
  const old = new Set(before.map(keyOf))
  const now = new Set(after.map(keyOf))
  return {
    added: after.filter((finding) => !old.has(keyOf(finding))),
    mended: before.filter((finding) => !now.has(keyOf(finding))),
  }
}
