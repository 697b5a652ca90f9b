import { resolve } from 'node:path'
import { checkFlags, type GivenFlags, throwErrors } from './flag-check.ts'
import type { CliContext } from './flag-command.ts'
import { lintFlags } from './lint-flags.ts'
import { countFindings, lintProject } from './lint-project.ts'
import { findingCounts, findingsText } from './lint-text.ts'
import { createReport } from './report.ts'

/** Formats that carry alpha, by the specification. */
const ALPHA_FORMATS = ['mov', 'webm', 'gif', 'png-sequence']

/** `vid lint`: prints what is wrong with a composition; the exit code says whether something is. */
export const runLint = async (dir: string, given: GivenFlags, context: CliContext): Promise<number> => {
  const { cwd, signal } = context
  const { values: flags, errors } = checkFlags(lintFlags, given)
  throwErrors(errors)
  const { json = false, quiet = false, strict = false } = flags
  const report = createReport({ ...context, json, quiet })
  const findings = await lintProject(resolve(cwd, dir), flags.composition ?? 'index.html', {
    alpha: ALPHA_FORMATS.includes(flags.format ?? 'mp4'),
    signal,
  })
  const counts = countFindings(findings)
  const isFailed = counts.errors > 0 || (strict && counts.warnings > 0)
  const shown = quiet ? findings.filter(({ severity }) => severity === 'error' || strict) : findings
  report.event({ type: 'lint', ok: !isFailed, ...counts, findings })
  if (shown.length > 0) report.result(findingsText(shown))
  if (!json) report.note(findings.length > 0 ? findingCounts(findings) : 'nothing found')
  return isFailed ? 1 : 0
}
