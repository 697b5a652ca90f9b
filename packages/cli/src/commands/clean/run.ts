import type { CommandRun } from '@vid/command'
import { cleanCache, openContext } from '@vid/render'
import type { cleanOptions } from './options.ts'

/** `vid clean`: removes the finished segments that are kept for a project. */
export const runClean = async (run: CommandRun<typeof cleanOptions, { readonly dir: string }>) => {
  const { cwd, env, signal, report, spelling, unguarded } = run
  const { preset } = run.options
  const open = await openContext({ cwd, env, spelling, loading: unguarded })
  const settings = { projectDir: run.arguments.dir, ...(preset !== undefined && { preset }) }
  return { bytes: await cleanCache(settings, open, { signal, onWarning: report.warn }) }
}
