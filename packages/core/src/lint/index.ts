import { findProject, readEntryText } from '../source/load.ts'
import { type LintOptions, readProject } from './project.ts'
import type { Finding } from './rule.ts'
import { lintRules } from './rules.ts'

export type { LintOptions } from './project.ts'
export type { Example, Finding, LintRule, Severity, Spot } from './rule.ts'
export { lintRules } from './rules.ts'

const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/**
 * What is wrong, or likely to surprise, in a composition and all that it embeds, without a browser: by file (the
 * entry first), line and code. An entry that cannot be read is the coded error that a render would end with.
 */
export const lintComposition = async (
  projectDir: string,
  entry: string,
  options: LintOptions = {},
): Promise<Finding[]> => {
  const { signal } = options
  const entryText = await readEntryText(projectDir, entry, signal && { signal })
  const project = await readProject(await findProject(projectDir), entryText, options)
  const findings = lintRules.flatMap(({ name, severity, hint, check }) =>
    [...check(project)].map((spot): Finding => ({ code: `lint/${name}`, severity, hint, ...spot })),
  )
  const order = [...new Set([...project.files, ...findings].map((each) => each.file))]
  return findings.sort(
    (a, b) =>
      order.indexOf(a.file) - order.indexOf(b.file) ||
      a.line - b.line ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  )
}
