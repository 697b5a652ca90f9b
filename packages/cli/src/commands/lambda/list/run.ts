import { type ListedRender, listRenders, type RenderStatus } from '@vid/lambda'
import { startCommand } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { stateMachineOf } from '../../../lambda/place.ts'
import { tableText, timeText } from '../../../table-text.ts'
import { lambdaListConflicts, lambdaListFlags } from './flags.ts'

const LIMIT = 20

const statuses = {
  running: 'RUNNING',
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  'timed-out': 'TIMED_OUT',
  aborted: 'ABORTED',
} as const satisfies Readonly<Record<string, RenderStatus>>

/** As many renders as are wanted, and whether there are more. */
const firstOf = async (renders: AsyncIterable<ListedRender>, most: number) => {
  const found: ListedRender[] = []
  for await (const render of renders) {
    if (found.length === most) return { found, hasMore: true }
    found.push(render)
  }
  return { found, hasMore: false }
}

const textOf = (renders: readonly ListedRender[]): string =>
  tableText(
    ['render', 'status', 'started', 'ended'],
    renders.map(({ renderId, status, startedAt, endedAt }) => [
      renderId,
      status,
      timeText(startedAt),
      timeText(endedAt),
    ]),
  )

/** `vid lambda list`: prints a row for each render, the latest first. */
export const runLambdaList = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { flags, json, report } = startCommand(lambdaListFlags, rawFlags, context, {
    conflicts: lambdaListConflicts,
  })
  const { all = false, limit = LIMIT, status } = flags
  const place = await stateMachineOf(flags, context)
  const renders = listRenders({
    ...place,
    signal: context.signal,
    ...(status !== undefined && { status: statuses[status] }),
  })
  const { found, hasMore } = await firstOf(renders, all ? Number.POSITIVE_INFINITY : limit)
  report.event({ type: 'lambda-list', renders: found, hasMore })
  if (found.length > 0) report.result(textOf(found))
  if (json) return
  if (found.length === 0) report.note('no renders')
  if (hasMore) report.note('there are more: --limit N lists N of them, --all lists all')
}
