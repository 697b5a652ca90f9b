import { openContext, takeStills } from '@vid/render'
import { type Counted, countedProgress } from '../../counted-progress.ts'
import { checkFlags, type RawFlags } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { settingsOf, spellingOf } from '../../flags/spelling.ts'
import { inputsOf, readFlags } from '../../flags/variables.ts'
import { createReport } from '../../report.ts'
import { shortPath } from '../../text.ts'
import { chooseProgress, isLive, silentProgress } from '../render/progress.ts'
import { snapshotConflicts, snapshotFlags } from './flags.ts'

const STILLS: Counted = { doing: 'capturing', text: (done, total) => `${done}/${total} stills` }

/** `vid snapshot`: writes single frames as PNG files, each drawn as a render would draw it. */
export const runSnapshot = async (dir: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { cwd, env, signal } = context
  const checked = checkFlags(snapshotFlags, rawFlags, { conflicts: snapshotConflicts })
  const { flags, variables } = await readFlags(checked, context)
  const report = createReport({ ...context, json: flags.json === true, quiet: flags.quiet === true })
  const { at, frames, alpha, preset } = flags
  const settings = {
    ...settingsOf(snapshotFlags, flags),
    projectDir: dir,
    ...(at !== undefined && { at }),
    ...(frames !== undefined && { count: frames }),
    ...(alpha !== undefined && { alpha }),
    ...(preset !== undefined && { preset }),
    ...(variables && { variables }),
    ...inputsOf(flags),
  }
  const open = await openContext({ cwd, env, spelling: spellingOf(rawFlags), loading: context.unguarded })
  // A log gets the paths, which follow at once.
  const progress = isLive(context) ? chooseProgress(context, report, rawFlags) : silentProgress
  const onProgress = countedProgress(progress, STILLS)
  progress.show('planning')
  const taken = await takeStills(settings, open, {
    signal,
    onProgress,
    onWarning(warning) {
      progress.clear()
      report.warn(warning)
    },
    onConsole(event) {
      progress.clear()
      report.console(event)
      report.event({ ...event })
    },
  }).finally(progress.clear)
  report.event({ type: 'snapshot-complete', ...taken })
  for (const { path } of taken.snapshots) report.result(shortPath(path, cwd))
}
