import { cleanCache, openContext } from '@vid/render'
import { checkFlags, type RawFlags, throwErrors } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { spellingOf } from '../../flags/spelling.ts'
import { createReport } from '../../report.ts'
import { bytesText } from '../../text.ts'
import { cleanFlags } from './flags.ts'

/** `vid clean`: removes the finished segments that are kept for a project. */
export const runClean = async (dir: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { cwd, env, signal } = context
  const { values: flags, errors } = checkFlags(cleanFlags, rawFlags)
  throwErrors(errors)
  const report = createReport({ ...context, json: flags.json === true, quiet: flags.quiet === true })
  const open = await openContext({ cwd, env, spelling: spellingOf(rawFlags), loading: context.unguarded })
  const { preset } = flags
  const settings = { projectDir: dir, ...(preset !== undefined && { preset }) }
  const bytes = await cleanCache(settings, open, { signal, onWarning: report.warn })
  report.event({ type: 'clean-complete', bytes })
  report.result(`freed ${bytesText(bytes)}`)
}
