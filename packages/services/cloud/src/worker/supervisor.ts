import { isAway } from '../database/database.ts'
import { fail } from '../errors.ts'
import { RETRY_LIMIT } from '../queue/boss.ts'
import { type Failure, markRenderFailed } from '../queue/endings.ts'
import { releaseJobs } from '../queue/fairness.ts'
import type { DeadJob } from '../queue/queue.ts'
import { isOfOtherBuild, restartRender } from '../queue/restart.ts'
import { repeat } from '../repeat.ts'
import type { WorkParts } from './parts.ts'

/** Milliseconds without a heartbeat after which the lease of a worker expires. */
export const LOST_AFTER_MS = 20_000

/** Interval between checks for lost workers and failed jobs, in milliseconds. */
const EVERY_MS = 2000

/** Returns the jobs of workers without a heartbeat for this long to the queue. */
export const recoverLost = async (
  { database, queue, log }: Pick<WorkParts, 'database' | 'queue' | 'log'>,
  lostAfterMs: number,
): Promise<number> => {
  const lostWorkers = await database.transaction(async (sql) => {
    const workers = await sql.rows<{ id: string }>(
      `SELECT id FROM vid.workers WHERE last_seen <= now() - make_interval(secs => $1)
       FOR UPDATE SKIP LOCKED`,
      [lostAfterMs / 1000],
    )
    const expired = []
    for (const { id } of workers) {
      const jobs = await sql.rows<{ job_id: string }>(
        'SELECT job_id FROM vid.worker_jobs WHERE worker_id = $1 FOR UPDATE',
        [id],
      )
      const { code, message } = fail('VID_CLOUD_WORKER_LOST', {})
      const ids = jobs.map(({ job_id }) => job_id)
      await queue.fail(sql, ids, { code, message })
      await releaseJobs(sql, ids)
      await sql.run('DELETE FROM vid.workers WHERE id = $1', [id])
      expired.push({ workerId: id, jobs: jobs.length })
    }
    return expired
  })
  for (const facts of lostWorkers) log.warn(facts, 'a worker is lost: its jobs return to the queue')
  return lostWorkers.length
}

const failureOf = (output: unknown): Failure | undefined => {
  const { code, message } = (output ?? {}) as Partial<Failure>
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined
}

/** Why a render failed whose job was tried too often. */
const failureAfterRetries = (failure: Failure | undefined): Failure => {
  const reason = failure?.message.replace(/\.$/, '') ?? 'it took too long'
  const { code, message } = fail('VID_CLOUD_GAVE_UP', { tries: RETRY_LIMIT + 1, reason })
  return { code, message }
}

/** Fails the renders whose jobs failed too often, or restarts them if another plan may succeed. */
export const endFailedRenders = async ({ database, queue, onEnded, log }: WorkParts): Promise<number> => {
  const deadJobs = await database.transaction(async (sql) => {
    const dead: DeadJob[] = await queue.takeDead(sql)
    for (const { id, data, output } of dead) {
      const failure = failureOf(output)
      if (data && failure && isOfOtherBuild(failure))
        await restartRender(sql, { queue, onEnded }, data, failureAfterRetries(failure))
      else if (data) {
        // A restarted render has other jobs.
        const attempt = data.kind === 'render' ? undefined : data.attempt
        const [now] = await sql.rows<{ attempt: number }>('SELECT attempt FROM vid.renders WHERE id = $1', [
          data.renderId,
        ])
        if (attempt === undefined || attempt === now?.attempt)
          await markRenderFailed(sql, data.renderId, failureAfterRetries(failure), onEnded)
      }
      await queue.completeDead(sql, id)
    }
    return dead
  })
  for (const { data, output } of deadJobs)
    log.warn({ renderId: data?.renderId, output }, 'a render was tried too often')
  if (deadJobs.length > 0) queue.wake()
  return deadJobs.length
}

/** A process's share of supervising all workers. */
export interface Supervisor {
  close(): Promise<void>
}

/**
 * Checks for lost workers and failed jobs; every process does. Workers cannot send heartbeats while the database is
 * unreachable, so no lease expires until it has been reachable again for the length of a lease.
 */
export const startSupervisor = async (
  parts: WorkParts,
  { lostAfterMs = LOST_AFTER_MS }: { readonly lostAfterMs?: number } = {},
): Promise<Supervisor> => {
  const { database, log } = parts
  const stop = new AbortController()
  let sinceMs = performance.now()
  if (database.kind === 'embedded') {
    // The embedded database has no other process, so earlier workers have ended.
    await database.run(
      `UPDATE vid.workers SET last_seen = 'epoch' WHERE started_at < now() - make_interval(secs => $1)`,
      [process.uptime()],
    )
    await recoverLost(parts, lostAfterMs)
  }
  const supervise = async () => {
    await endFailedRenders(parts)
    if (performance.now() - sinceMs >= lostAfterMs) await recoverLost(parts, lostAfterMs)
  }
  const onError = (thrown: unknown) => {
    if (isAway(thrown)) sinceMs = performance.now()
    else log.error({ err: thrown }, 'lost jobs could not be recovered')
  }
  const looking = repeat(supervise, { everyMs: EVERY_MS, signal: stop.signal, onError })
  return {
    async close() {
      stop.abort()
      await looking
    },
  }
}
