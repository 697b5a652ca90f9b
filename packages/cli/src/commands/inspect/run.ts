import { inspectRender, openContext } from '@vid/render'
import type { GivenFlags } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { spellingOf } from '../../flags/spelling.ts'
import { createReport } from '../../report.ts'
import { readRenderFlags } from '../render/run.ts'
import { inspectText } from './inspect-text.ts'

/** `vid inspect`: what would be rendered, by which plugins, and why. */
export const runInspect = async (
  dir: string,
  given: GivenFlags,
  { plan }: { readonly plan: boolean },
  context: CliContext,
): Promise<void> => {
  const { cwd, env, signal } = context
  const report = createReport({ ...context, json: given.json === true, quiet: given.quiet === true })
  const { settings } = await readRenderFlags(dir, given, cwd)
  const open = await openContext({ cwd, env, spelling: spellingOf(given) })
  const inspection = await inspectRender(settings, open, { plan, signal, onWarning: report.warn })
  report.event({ ...inspection })
  report.result(inspectText(inspection))
}
