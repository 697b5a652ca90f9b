import { withoutCredentials } from '@vid/protocol'
import { findProject, readEntryText } from '../source/load.ts'
import { type LintOptions, type LintProject, readProject } from './project/project.ts'
import type { Finding } from './rule.ts'
import { lintRules } from './rules/lint-rules.ts'

export type { LintOptions } from './project/project.ts'
export type { ExampleProject, Finding, LintRule, Severity, Spot } from './rule.ts'
export { lintRulePage } from './rule-page.ts'
export { lintRules } from './rules/lint-rules.ts'
export { readVariableUses, type VariableUse } from './variable-uses.ts'

const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** Lints a composition that is read already; findings are sorted by file (the entry first), line and code. */
export const lintProject = (project: LintProject): Finding[] => {
  const findings = lintRules.flatMap(({ name, severity, hint, check }) =>
    [...check(project)].map(
      (spot): Finding => ({
        code: `lint/${name}`,
        severity,
        hint,
        ...spot,
        message: withoutCredentials(spot.message),
      }),
    ),
  )
  const order = [...new Set([...project.files, ...findings].map((item) => item.file))]
  return findings.sort(
    (a, b) =>
      order.indexOf(a.file) - order.indexOf(b.file) ||
      a.line - b.line ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  )
}

/**
 * Lints a composition and everything it embeds, without a browser. An entry that cannot be read throws the same coded
 * error as a render.
 */
export const lintComposition = async (
  projectDir: string,
  entry: string,
  options: LintOptions = {},
): Promise<Finding[]> => {
  const { signal } = options
  const entryText = await readEntryText(projectDir, entry, signal && { signal })
  return lintProject(await readProject(await findProject(projectDir), entryText, options))
}
