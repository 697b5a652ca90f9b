import { makeFolder, removeAbandoned } from '@vid/system'
import { isAway } from '../database/database.ts'
import { untilReachable } from '../database/until-reachable.ts'
import { TRIAL_PREFIX, type WorkerPart } from '../health/trial.ts'
import { repeat } from '../repeat.ts'
import { watchAbility } from './ability.ts'
import { createClientText } from './client-text.ts'
import type { HeldJob } from './held-job.ts'
import { register, renewLease } from './lease.ts'
import { type WorkerParts, type WorkerSettings, workerDefaults } from './parts.ts'
import { JOB_PREFIX, runJobSafely } from './run-job.ts'
import { startStreamer } from './streamer.ts'
import { type TakenJob, takeJobs } from './take-jobs.ts'

/** Renders jobs of the queue, several at once. */
export interface Worker {
  /** Number of running jobs. */
  running(): number
  /** The part that does not work, because of which it takes no jobs. */
  problem(): WorkerPart | undefined
  /** Takes no further jobs; waits up to `drainMs` for running ones, then returns them to the queue. */
  close(drainMs?: number): Promise<void>
}

/** Options of a worker. */
export type WorkerOptions = WorkerParts &
  Pick<WorkerSettings, 'slots' | 'workDir' | 'version'> &
  Partial<WorkerSettings>

/**
 * Starts a worker. It keeps running while the database is unreachable, and registers again if its lease expires
 * meanwhile.
 */
export const startWorker = async (options: WorkerOptions): Promise<Worker> => {
  const settings: WorkerSettings = { ...workerDefaults, ...options }
  const parts: WorkerParts = options
  const { log, queue } = parts
  const { slots, workDir, pollMs, tickMs } = settings
  const drain = new AbortController()
  const end = new AbortController()
  const idle = new AbortController()
  const heldJobs = new Map<string, HeldJob>()
  const runningJobs = new Set<Promise<void>>()
  await makeFolder(workDir, 0o700)
  for (const prefix of [JOB_PREFIX, TRIAL_PREFIX]) await removeAbandoned(workDir, prefix)
  let workerId = ''
  const ability = await watchAbility(parts, settings, { signal: end.signal, id: () => workerId, onReady: () => fill() })
  const tools = { parts, settings, clientText: createClientText(workDir, log), ability }
  const registerNow = () => register(parts, { ...settings, ...ability.state() })
  workerId = await untilReachable(registerNow, end.signal)

  const begin = ({ job, render }: TakenJob, holder: string) => {
    const heldJob: HeldJob = {
      job,
      render,
      workerId: holder,
      stop: new AbortController(),
      frames: 0,
      totalFrames: 0,
      isReported: true,
      isFinishing: false,
    }
    heldJobs.set(job.id, heldJob)
    const work = runJobSafely(heldJob, tools, { drain: drain.signal, end: end.signal }).finally(() => {
      if (heldJobs.get(job.id) === heldJob) heldJobs.delete(job.id) // Else it was taken again, after a lost lease.
      runningJobs.delete(work)
      fill()
    })
    runningJobs.add(work)
  }
  let filling: Promise<void> | undefined
  let isAsked = false
  const takeSome = async () => {
    do {
      isAsked = false
      const free = slots - heldJobs.size
      if (free <= 0 || idle.signal.aborted || !ability.isReady()) return
      const holder = workerId
      const takenJobs = await takeJobs(parts, holder, free)
      for (const takenJob of takenJobs ?? []) begin(takenJob, holder)
    } while (isAsked)
  }
  /** Takes as many jobs as there are free slots; a call during the search makes it search again. */
  function fill(): void {
    isAsked = true
    if (filling || idle.signal.aborted) return
    filling = takeSome()
      .catch((thrown: unknown) => {
        if (!isAway(thrown)) log.error({ err: thrown }, 'no job could be taken')
      })
      .finally(() => {
        filling = undefined
      })
  }
  const renew = async () => {
    if (await renewLease(parts, workerId, heldJobs)) return
    log.warn({ workerId }, 'the lease of this worker has expired: its jobs belong to others now')
    workerId = await registerNow()
  }
  const report = (thrown: unknown) => {
    if (!isAway(thrown)) log.error({ err: thrown }, 'the lease of the worker could not be renewed')
  }
  const streamer = startStreamer(tools, () => workerId)
  const forget = queue.onWake(fill)
  const loops = [
    repeat(renew, { everyMs: tickMs, signal: end.signal, onError: report }),
    repeat(async () => fill(), { everyMs: pollMs, signal: idle.signal, onError: report }),
  ]
  fill()
  return {
    running: () => heldJobs.size,
    problem: () => ability.state().problem ?? undefined,
    async close(drainMs = 0) {
      forget()
      idle.abort()
      await filling
      const timer = setTimeout(() => drain.abort(new Error('the worker stops')), drainMs)
      if (drainMs <= 0) drain.abort(new Error('the worker stops'))
      // The supervisor recovers what cannot be recorded now.
      const last = setTimeout(() => end.abort(new Error('the worker ends')), drainMs + LAST_MS)
      await Promise.allSettled(runningJobs)
      await streamer.close()
      await ability.close()
      clearTimeout(timer)
      clearTimeout(last)
      end.abort(new Error('the worker ends'))
      await Promise.all(loops)
      // If some jobs could not be returned, the supervisor recovers the worker.
      await parts.database
        .run(
          `DELETE FROM vid.workers WHERE id = $1
           AND NOT EXISTS (SELECT 1 FROM vid.worker_jobs WHERE worker_id = $1)`,
          [workerId],
        )
        .catch(() => {})
    },
  }
}

/** Time to return jobs, and for the database to recover, in milliseconds. */
const LAST_MS = 10_000
