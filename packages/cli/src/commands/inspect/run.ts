import { inspectRender, openContext } from '@vid/render'
import { reportOf } from '../../flags/command-start.ts'
import type { RawFlags } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { spellingOf } from '../../flags/spelling.ts'
import { readRenderFlags } from '../render/run.ts'
import { inspectText } from './inspect-text.ts'

/** `vid inspect`: what would be rendered, by which plugins, and why. */
export const runInspect = async (
  dir: string,
  rawFlags: RawFlags,
  { plan, isShort }: { readonly plan: boolean; readonly isShort: boolean },
  context: CliContext,
): Promise<void> => {
  const { cwd, env, signal } = context
  const report = reportOf(rawFlags, context)
  const { settings } = await readRenderFlags(dir, rawFlags, context)
  const open = await openContext({ cwd, env, spelling: spellingOf(rawFlags), loading: context.unguarded })
  const inspection = await inspectRender(settings, open, { plan, signal, onWarning: report.warn })
  report.event({ ...inspection })
  report.result(inspectText(inspection, { isShort }))
}
