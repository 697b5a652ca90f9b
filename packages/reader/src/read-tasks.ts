import { readTasksOf } from '@vid/kernel'
import { countFindings, type Finding } from '@vid/render'
import { type LintInput, lintTask } from '@vid/render/read-tasks'

/** The first findings about a composition, and how many there are of each severity. */
export interface BoundedFindings {
  readonly findings: readonly Finding[]
  readonly errors: number
  readonly warnings: number
}

/** Findings that a reply lists; the rest is only counted. */
const MAX_FINDINGS = 1000

const define = readTasksOf(import.meta.url, 'read-tasks.js')

/** Lints a composition for a reply of bounded size. */
export const boundedLintTask = define('boundedLintTask', async (input: LintInput, signal): Promise<BoundedFindings> => {
  const findings = await lintTask.do(input, signal)
  return { ...countFindings(findings), findings: findings.slice(0, MAX_FINDINGS) }
})
