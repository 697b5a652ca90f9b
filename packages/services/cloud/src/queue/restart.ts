import type { Sql } from '../database/database.ts'
import { type Failure, markRenderFailed, type OnEnded } from './endings.ts'
import type { JobData } from './jobs.ts'
import type { Queue } from './queue.ts'
import { cancelWaiting } from './waiting.ts'

/** Whether an error is of a plan that another worker has made, and may not come with a plan of this one. */
export const isOfOtherBuild = ({ code }: Pick<Failure, 'code'>): boolean =>
  ['VID_PLAN_BUILD', 'VID_PLAN_CODE', 'VID_PLAN_OPTIONS'].includes(code)

/** How often a render may be planned. */
const MAX_ATTEMPTS = 5

/**
 * Restarts a render because the build of the browser may have changed, or its parts are lost. Work on its earlier
 * attempt is refused, and its jobs that wait are removed. Fails the render with `failure` if it was started too often.
 */
export const restartRender = async (
  sql: Sql,
  { queue, onEnded }: { readonly queue: Pick<Queue, 'enqueueParts'>; readonly onEnded: OnEnded },
  data: JobData,
  failure: Failure,
): Promise<void> => {
  const { renderId, cost } = data
  if (data.kind === 'render') {
    await markRenderFailed(sql, renderId, failure, onEnded)
    return
  }
  const { attempt } = data
  const [now] = await sql.rows<{ attempt: number }>(
    `SELECT attempt FROM vid.renders WHERE id = $1 AND status = 'rendering' FOR UPDATE`,
    [renderId],
  )
  // Another part has restarted it, or it has ended.
  if (now?.attempt !== attempt) return
  if (attempt >= MAX_ATTEMPTS) {
    await markRenderFailed(sql, renderId, failure, onEnded)
    return
  }
  await sql.run(
    `UPDATE vid.renders SET attempt = attempt + 1, plan_key = NULL, segments = 0, warnings = '[]' WHERE id = $1`,
    [renderId],
  )
  await cancelWaiting(sql, renderId)
  await queue.enqueueParts(sql, [{ kind: 'render', renderId, ...(cost !== undefined && { cost }) }])
}
