import { cleanCache, openContext } from '@vid/render'
import { startCommand } from '../../flags/command-start.ts'
import type { RawFlags } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { spellingOf } from '../../flags/spelling.ts'
import { bytesText } from '../../text.ts'
import { cleanFlags } from './flags.ts'

/** `vid clean`: removes the finished segments that are kept for a project. */
export const runClean = async (dir: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { cwd, env, signal } = context
  const { flags, report } = startCommand(cleanFlags, rawFlags, context)
  const open = await openContext({ cwd, env, spelling: spellingOf(rawFlags), loading: context.unguarded })
  const { preset } = flags
  const settings = { projectDir: dir, ...(preset !== undefined && { preset }) }
  const bytes = await cleanCache(settings, open, { signal, onWarning: report.warn })
  report.event({ type: 'clean-complete', bytes })
  report.result(`freed ${bytesText(bytes)}`)
}
