import { describeCause, failRender, isVidError, type VidError, withoutCredentials } from '@vid/protocol'
import { codedError } from '@vid/render'
import { statusOf } from '@vid/server'
import { createSemaphore, type Release } from '@vid/system'
import { fail, producerStatuses } from '../errors.ts'
import type { Ending } from '../journal/ending.ts'
import type { RequestJournal } from '../journal/journal.ts'
import type { Projects } from '../projects/projects.ts'
import type { ServerJob } from './job.ts'
import type { Log } from './log.ts'
import { checkPlaces } from './places.ts'
import type { RequestEntry } from './request-registry.ts'
import { type JobDependencies, runJob } from './run-job.ts'

/** How often the server may end during a request before the request fails. */
const MAX_ATTEMPTS = 3

/** The abort reason of a request that its owner cancels. */
export const cancelled = (): VidError => failRender('VID_CANCELLED', {})

/** Dependencies of rendering requests. */
export interface RequestParts extends JobDependencies {
  readonly journal: RequestJournal
  readonly projects: Projects
  readonly log: Log
  /** Absolute folder of the server, off limits to paths in requests. */
  readonly folder: string
  /** Called once a request has ended, before anybody else is notified. */
  onEnd(entry: RequestEntry, ending: Ending, seconds: number): void
}

const nowIso = () => new Date().toISOString()

/** The folder of a request's composition; an uploaded one must be unchanged. */
const findComposition = async ({ job, project, isRestored }: RequestEntry, projects: Projects): Promise<string> => {
  const { projectDir } = job.accepted
  if (projectDir !== null) return projectDir
  const isWhole = project && (!isRestored || (await projects.isWhole(project, job.signal)))
  if (!isWhole) throw fail('VID_PRODUCER_PROJECT_LOST', {})
  return project.folder
}

/** Renders one request that holds a slot; rejects with the error of the render. */
const renderOne = async (entry: RequestEntry, parts: RequestParts): Promise<Ending> => {
  const { job } = entry
  const { journal, projects, settings } = parts
  const { attempts, body } = job.accepted
  const timeoutMs = Math.min(body.timeoutMs ?? settings.renderTimeoutMs, settings.renderTimeoutMs)
  const deadline = setTimeout(() => job.cancel(fail('VID_PRODUCER_DEADLINE', { timeoutMs })), timeoutMs)
  try {
    if (attempts >= MAX_ATTEMPTS) throw fail('VID_PRODUCER_GAVE_UP', { attempts })
    await checkPlaces(job.accepted, settings, parts.folder)
    await journal.start({ ...job.accepted, attempts: attempts + 1 })
    const places = {
      projectDir: await findComposition(entry, projects),
      folder: journal.folderOf(job.accepted),
    }
    return await runJob(job, places, parts, job.signal)
  } finally {
    clearTimeout(deadline)
  }
}

/** How requests end; `stopping` is the reason of those that the next process continues. */
const createEndings = (parts: RequestParts, stopping: VidError) => {
  const { journal, metrics, replyText, log } = parts
  /** The outcome of an incomplete request; undefined if the next process continues it. */
  const endingOf = (job: ServerJob, thrown: unknown): Ending | undefined => {
    const { requestId } = job.accepted
    const { reason } = job.signal
    // A request accepted at the last moment is refused by the closed queue instead.
    if (journal.isDurable && (reason === stopping || thrown === stopping)) return undefined
    const error = job.signal.aborted && isVidError(reason) ? reason : codedError(thrown)
    if (error.code === 'VID_CANCELLED') return { status: 'cancelled', endedAt: nowIso() }
    const { code, message, cause } = error
    const facts = { requestId, code, error: withoutCredentials(message) }
    const ofCause = cause === undefined ? {} : { cause: withoutCredentials(describeCause(cause)) }
    log('warn', { ...facts, ...ofCause }, 'request failed')
    const httpStatus = statusOf(error, producerStatuses)
    return { status: 'failed', endedAt: nowIso(), error: replyText.replyError(error), httpStatus }
  }
  /** Ends a request: the outcome is recorded first and reported afterwards. */
  const end = async (entry: RequestEntry, ending: Ending, seconds: number) => {
    const { job, project } = entry
    const { requestId } = job.accepted
    await journal
      .end(job.accepted, ending)
      .catch((cause) => log('error', { requestId, reason: describeCause(cause) }, 'cannot record the end'))
    metrics.ended(ending.status, seconds)
    log('info', { requestId, status: ending.status, seconds: Number(seconds.toFixed(3)) }, 'request ended')
    project?.release()
    parts.onEnd(entry, ending, seconds)
    job.end(ending)
  }
  /** Leaves a recorded request to the next process, and notifies the clients that wait for it. */
  const postpone = async ({ job, project }: RequestEntry) => {
    // The request did not cause the end of this process, so the attempt must not count.
    await journal
      .start(job.accepted)
      .catch((cause) => log('error', { reason: describeCause(cause) }, 'cannot record that a request was stopped'))
    project?.release()
    job.end({ status: 'failed', endedAt: nowIso(), error: replyText.replyError(stopping), httpStatus: 503 })
  }
  return { endingOf, end, postpone }
}

const isQueued = (job: ServerJob): boolean => job.record().status === 'queued'

const cancelAll = (jobs: readonly ServerJob[], reason: VidError): void => {
  for (const job of jobs) job.cancel(reason)
}

/** Queues requests for a slot, renders them, and reports the outcome of each. */
export const createWork = (parts: RequestParts) => {
  const { journal, settings, log } = parts
  const slots = createSemaphore(settings.maxConcurrentRenders)
  const runningJobs = new Map<Promise<void>, ServerJob>()
  const stopping = fail('VID_PRODUCER_STOPPING', { kept: journal.isDurable })
  let isStopping = false

  const { endingOf, end, postpone } = createEndings(parts, stopping)
  const acquireSlot = async (job: ServerJob): Promise<Release> => {
    if (isStopping) throw stopping
    return slots.acquire({ signal: job.signal, onPosition: (position) => job.queued(position) })
  }
  const work = async (entry: RequestEntry) => {
    const { job } = entry
    let startedMs = performance.now()
    let release: Release | undefined
    try {
      const ending = await acquireSlot(job)
        .then((slot) => {
          release = slot
          startedMs = performance.now()
          job.started()
          return renderOne(entry, parts)
        })
        .catch((thrown: unknown) => endingOf(job, thrown))
      if (ending) await end(entry, ending, (performance.now() - startedMs) / 1000)
      else await postpone(entry)
    } finally {
      release?.()
    }
  }
  return {
    slots,
    /** Fails if the server is stopping. */
    checkOpen() {
      if (isStopping) throw stopping
    },
    /** Appends a request to the queue. */
    begin(entry: RequestEntry): void {
      const { requestId } = entry.job.accepted
      const working = work(entry)
        .catch((cause) => log('error', { requestId, reason: describeCause(cause) }, 'a request was lost'))
        .finally(() => runningJobs.delete(working))
      runningJobs.set(working, entry.job)
    },
    /** Starts no further requests, and refuses new ones. */
    stop() {
      isStopping = true
      slots.refuseWaiters(stopping)
    },
    /** After `stop`: waits up to `drainMs` for running requests, then stops them. */
    async close(drainMs: number): Promise<void> {
      const jobs = () => [...runningJobs.values()]
      cancelAll(jobs().filter(isQueued), stopping)
      const deadline = setTimeout(() => cancelAll(jobs(), stopping), drainMs)
      await Promise.all(runningJobs.keys())
      clearTimeout(deadline)
    },
  }
}
