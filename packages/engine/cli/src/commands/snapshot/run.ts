import { resolve } from 'node:path'
import type { ChosenState } from '@vid/analysis/options'
import { type CommandRun, type Counted, countedProgress, inputsOf, settingsOf, silentProgress } from '@vid/command'
import { openContext, takeStills } from '@vid/render'
import { snapshotOptions } from './options.ts'

const STILLS: Counted = { doing: 'capturing', text: (done, total) => `${done}/${total} stills` }

/** `vid snapshot`: writes single frames as PNG files, each drawn as a render would draw it. */
export const runSnapshot = async (
  run: CommandRun<typeof snapshotOptions, { readonly dir: string }>,
  { projectDir, isStaged, configFrom, signal }: ChosenState,
) => {
  const { cwd, env, options, variables, report, spelling, unguarded } = run
  const { at: times, frames, alpha, preset } = options
  const settings = {
    ...settingsOf(snapshotOptions, options),
    projectDir,
    ...(isStaged && { copyOf: resolve(cwd, run.arguments.dir) }),
    ...(times !== undefined && { at: times }),
    ...(frames !== undefined && { count: frames }),
    ...(alpha !== undefined && { alpha }),
    ...(preset !== undefined && { preset }),
    ...(variables && { variables }),
    ...inputsOf(options),
  }
  const open = await openContext({ cwd, env, spelling, loading: unguarded, configFrom })
  // A log gets the paths, which follow at once.
  const progress = run.progress.isLive ? run.progress : silentProgress
  const onProgress = countedProgress(progress, STILLS)
  progress.show('planning')
  return takeStills(settings, open, {
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
}
