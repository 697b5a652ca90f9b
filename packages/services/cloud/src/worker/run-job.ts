import { rm } from 'node:fs/promises'
import { isVidError, type VidError } from '@vid/protocol'
import { codedError } from '@vid/render'
import { makeScratchFolder } from '@vid/system'
import { isAway } from '../database/database.ts'
import { fail } from '../errors.ts'
import { isOfMachine } from '../health/trial.ts'
import { markRenderFailed } from '../queue/endings.ts'
import { isOfOtherBuild, restartRender } from '../queue/restart.ts'
import { finishJob, giveJobBack, type HeldJob, type JobRun, passJobOn, retryJob, yieldJob } from './held-job.ts'
import { type JobTools, runRenderJob } from './render-job.ts'
import { runJoinJob, runSegmentJob } from './segment-job.ts'

/** Prefix of the names of job folders. */
export const JOB_PREFIX = 'vid-job-'

const KINDS = { render: runRenderJob, segment: runSegmentJob, join: runJoinJob } as const

/** Errors of permanently lost parts. */
const MUST_RESTART: ReadonlySet<string> = new Set(['VID_CLOUD_PART_LOST'])

/** Runs work with a new folder, which is removed afterwards. */
export const withFolder = async <T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await makeScratchFolder(parent, JOB_PREFIX)
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Whether a job failed because this worker cannot do it, as a trial shows. Rejects if the worker stops. */
const isWorkersFault = async (error: VidError, heldJob: HeldJob, { ability }: JobTools, { drain, end }: Ends) => {
  // What ends a job from outside says nothing about the worker.
  if (isOfOtherBuild(error) || MUST_RESTART.has(error.code) || heldJob.stop.signal.aborted) return false
  return ability.isAtFault({ error, video: heldJob.render.request }, AbortSignal.any([drain, end]))
}

/** Ends a failed job: leaves it to other workers, retries it, or fails its render. */
const endFailed = async (error: VidError, heldJob: HeldJob, tools: JobTools, ends: Ends): Promise<void> => {
  const { parts, clientText } = tools
  const { log, onEnded } = parts
  const { end } = ends
  const { job, render } = heldJob
  const facts = { renderId: render.id, kind: job.data.kind, retries: job.retries, err: error }
  const failure = clientText.failure(error)
  if (await isWorkersFault(error, heldJob, tools, ends)) {
    log.warn(facts, 'this worker cannot do a job, and leaves it to others')
    return passJobOn(parts, heldJob, end)
  }
  if (MUST_RESTART.has(error.code)) {
    log.warn(facts, 'the parts of a render are lost: it starts again')
    return finishJob(parts, heldJob, end, (sql) => restartRender(sql, parts, job.data, failure))
  }
  if (isOfMachine(error)) {
    log.warn(facts, 'a job failed, and is retried')
    return retryJob(parts, heldJob, end, failure)
  }
  log.info(facts, 'a render has failed')
  return finishJob(parts, heldJob, end, async (sql) => {
    await markRenderFailed(sql, render.id, failure, onEnded)
  })
}

/** Signals that end a job. */
interface Ends {
  /** Aborts when the worker stops, which returns its jobs to the queue. */
  readonly drain: AbortSignal
  /** Ends all waiting for the database. */
  readonly end: AbortSignal
}

/**
 * Runs a job and records its result in the database. When `drain` aborts, the worker returns the job; when `end`
 * aborts, all waiting for the database ends.
 */
const runJob = async (heldJob: HeldJob, tools: JobTools, { drain, end }: Ends): Promise<void> => {
  const { parts, settings } = tools
  const { job, render, stop } = heldJob
  const minutes = Math.max(1, Math.round(settings.timeoutMs / 60_000))
  const timeout = setTimeout(
    () => stop.abort(new Error('timeout', { cause: fail('VID_CLOUD_TIMEOUT', { minutes }) })),
    settings.timeoutMs,
  )
  const signal = AbortSignal.any([stop.signal, drain])
  const startedMs = performance.now()
  try {
    await withFolder(settings.workDir, (workDir) => {
      const run: JobRun = {
        workerId: heldJob.workerId,
        job,
        render,
        signal,
        workDir,
        progress(frames, totalFrames) {
          if (frames <= heldJob.frames) return
          Object.assign(heldJob, { frames, totalFrames, isReported: false })
        },
        finish(work) {
          // The work is done and must not be lost, however long the database is unreachable.
          clearTimeout(timeout)
          heldJob.isFinishing = true
          return finishJob(parts, heldJob, AbortSignal.any([stop.signal, end]), work)
        },
      }
      return KINDS[job.data.kind](run, tools)
    })
    const seconds = Number(((performance.now() - startedMs) / 1000).toFixed(3))
    parts.log.info({ renderId: render.id, kind: job.data.kind, seconds }, 'a job is done')
  } catch (thrown) {
    // A worker that stops has returned its jobs, except for the results that it records.
    if (drain.aborted && !heldJob.isFinishing) return
    const error = codedError(thrown, signal)
    if (error.code === 'VID_CLOUD_JOB_LOST') return
    if (error.code === 'VID_CLOUD_YIELD') {
      parts.log.info({ renderId: render.id, kind: job.data.kind }, 'a job yields to another account')
      return await yieldJob(parts, heldJob, end)
    }
    // The render was cancelled.
    if (error.code === 'VID_CANCELLED' && stop.signal.aborted)
      return await finishJob(parts, heldJob, end, async () => {})
    // Without the database, nothing was found out about the job.
    if ((drain.aborted && !stop.signal.aborted) || isAway(error)) return await giveJobBack(parts, heldJob, end)
    const ends = { drain, end }
    await endFailed(error, heldJob, tools, ends).catch(async (cause: unknown) => {
      if (drain.aborted && cause === drain.reason) return
      if (end.aborted || (isVidError(cause) && cause.code === 'VID_CLOUD_JOB_LOST')) throw cause
      // What the error says could not be recorded; a job that never ends would run again and again.
      await endFailed(codedError(cause, signal), heldJob, tools, ends)
    })
  } finally {
    clearTimeout(timeout)
  }
}

/** Returns a job of a worker that stops to the queue, unless its result is being recorded. */
const returnJob = async (heldJob: HeldJob, { parts }: JobTools, end: AbortSignal): Promise<void> => {
  if (heldJob.isFinishing) return
  await giveJobBack(parts, heldJob, end).catch((thrown: unknown) => {
    if (isVidError(thrown) && thrown.code === 'VID_CLOUD_JOB_LOST') return
    parts.log.error({ renderId: heldJob.render.id, err: thrown }, 'a job could not be returned')
  })
}

/**
 * Runs a job; if its end cannot be recorded, the supervisor recovers it. When the worker stops, the job is returned at
 * once: its render may take long to end, or not end at all, and what it records later is refused.
 */
export const runJobSafely = async (...call: Parameters<typeof runJob>): Promise<void> => {
  const [heldJob, tools, { drain, end }] = call
  let returned: Promise<void> | undefined
  const giveBack = () => {
    returned = returnJob(heldJob, tools, end)
  }
  drain.addEventListener('abort', giveBack, { once: true })
  try {
    await runJob(...call)
  } catch (thrown) {
    if (isVidError(thrown) && thrown.code === 'VID_CLOUD_JOB_LOST') return
    tools.parts.log.error({ renderId: heldJob.render.id, err: thrown }, 'the end of a job could not be recorded')
  } finally {
    drain.removeEventListener('abort', giveBack)
    await returned
  }
}
