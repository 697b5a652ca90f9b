import { readTasksOf } from '@vid/kernel'
import { countFindings, type Finding } from '@vid/render'
import { type LintInput, lintTask } from '@vid/render/read-tasks'

/** The first findings about a composition, and how many there are of each severity. */
export interface BoundedFindings {
  readonly findings: readonly Finding[]
  readonly errors: number
  readonly warnings: number
}

/** Findings that a reply lists, and characters of their texts; the rest is only counted. */
const MAX_FINDINGS = 1000
const MAX_CHARACTERS = 2 ** 19

const charactersOf = ({ message, selector, hint }: Finding): number =>
  message.length + (selector?.length ?? 0) + hint.length

/** The first findings that a reply has room for. */
const firstOf = (findings: readonly Finding[]): readonly Finding[] => {
  let characters = 0
  const isFull = (finding: Finding) => {
    characters += charactersOf(finding)
    return characters > MAX_CHARACTERS
  }
  const first = findings.slice(0, MAX_FINDINGS)
  const end = first.findIndex(isFull)
  return end < 0 ? first : first.slice(0, end)
}

const define = readTasksOf(import.meta.url)

/** Lints a composition for a reply of bounded size. */
export const boundedLintTask = define('boundedLintTask', async (input: LintInput, signal): Promise<BoundedFindings> => {
  const findings = await lintTask.do(input, signal)
  return { ...countFindings(findings), findings: firstOf(findings) }
})
