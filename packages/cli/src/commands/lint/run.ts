import { countFindings, lintFolder, openContext } from '@vid/render'
import { startCommand } from '../../flags/command-start.ts'
import type { RawFlags } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { settingsOf, spellingOf } from '../../flags/spelling.ts'
import { createPaint } from '../../paint.ts'
import { lintFlags } from './flags.ts'
import { findingCounts, findingsText } from './lint-text.ts'

/** `vid lint`: prints what is wrong with a composition; the exit code says whether something is. */
export const runLint = async (dir: string, rawFlags: RawFlags, context: CliContext): Promise<number> => {
  const { cwd, env, signal } = context
  const { flags, json, report } = startCommand(lintFlags, rawFlags, context)
  const { strict = false } = flags
  const open = await openContext({ cwd, env, spelling: spellingOf(rawFlags), loading: context.unguarded })
  const findings = await lintFolder({ ...settingsOf(lintFlags, flags), projectDir: dir }, open, signal)
  const counts = countFindings(findings)
  const isFailed = counts.errors > 0 || (strict && counts.warnings > 0)
  const shown = flags.quiet ? findings.filter(({ severity }) => severity === 'error' || strict) : findings
  report.event({ type: 'lint', ok: !isFailed, ...counts, findings })
  if (shown.length > 0) report.result(findingsText(shown, createPaint(context.stdout as { isTTY?: boolean }, env)))
  if (!json) report.note(findings.length > 0 ? findingCounts(findings) : 'nothing found')
  return isFailed ? 1 : 0
}
