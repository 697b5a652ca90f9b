import type { CommandRun } from '@vid/command'
import { type ListedRender, listRenders } from '../../renders/list-renders.ts'
import type { RenderStatus } from '../../renders/status.ts'
import { stateMachineOf } from '../shared/place.ts'
import type { lambdaListOptions } from './options.ts'

const LIMIT = 20

const statuses = {
  running: 'RUNNING',
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  'timed-out': 'TIMED_OUT',
  aborted: 'ABORTED',
} as const satisfies Readonly<Record<string, RenderStatus>>

/** Reads up to `most` renders, and whether there are more. */
const firstOf = async (renders: AsyncIterable<ListedRender>, most: number) => {
  const page: ListedRender[] = []
  for await (const render of renders) {
    if (page.length === most) return { page, hasMore: true }
    page.push(render)
  }
  return { page, hasMore: false }
}

/** `vid lambda list`: lists renders, latest first. */
export const runLambdaList = async (run: CommandRun<typeof lambdaListOptions>) => {
  const { signal, options } = run
  const { all = false, limit = LIMIT, status } = options
  const place = await stateMachineOf(options, run)
  const renders = listRenders({
    ...place,
    signal,
    ...(status !== undefined && { status: statuses[status] }),
  })
  const { page, hasMore } = await firstOf(renders, all ? Number.POSITIVE_INFINITY : limit)
  return { renders: page, hasMore }
}
