import type { CommandRun } from '@vid/command'
import { inspectRender, openContext } from '@vid/render'
import { renderSettings } from '../render/settings.ts'
import type { inspectOptions } from './options.ts'

/** `vid inspect`: what would be rendered, by which plugins, and why. */
export const runInspect = async (run: CommandRun<typeof inspectOptions, { readonly dir: string }>) => {
  const { cwd, env, signal, options, report, spelling, unguarded } = run
  const open = await openContext({ cwd, env, spelling, loading: unguarded })
  return inspectRender(renderSettings(run), open, { plan: options.plan !== false, signal, onWarning: report.warn })
}
