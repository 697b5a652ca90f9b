import {
  describeCause,
  failRender,
  isVidError,
  type ProducerRender,
  type ProducerSnapshot,
  type VidError,
} from '@vid/kernel'
import { codedError } from '@vid/render'
import { statusOf } from '@vid/server'
import { fail, producerStatuses } from '../errors.ts'
import type { Journal, Kept } from '../journal/journal.ts'
import type { Output } from '../outputs/output.ts'
import type { HeldProject, Projects } from '../projects/projects.ts'
import { createQueue } from '../queue/queue.ts'
import type { Accepted } from './accepted.ts'
import type { Ending } from './ending.ts'
import { createJob, type Job } from './job.ts'
import { type JobTools, runJob } from './run-job.ts'

/** How often the server may end during a request before it gives the request up. */
const MAX_ATTEMPTS = 3

/** A line for the log of the server. */
export type Log = (level: 'info' | 'warn' | 'error', facts: object, text: string) => void

/** What a request brings, checked. */
export interface Asked {
  readonly requestId: string
  readonly owner: string
  readonly kind: Accepted['kind']
  readonly body: ProducerRender | ProducerSnapshot
  /** Absolute folder of the server that holds the composition; undefined when it was sent. */
  readonly projectDir?: string | undefined
  /** The project that was sent; the service releases it at the end. */
  readonly project?: HeldProject | undefined
  readonly outputPath?: string | undefined
}

/** What the service of a render server is made of. */
export interface ServiceParts extends JobTools {
  readonly journal: Journal
  readonly projects: Projects
  readonly log: Log
}

interface Entry {
  readonly job: Job
  readonly project: HeldProject | undefined
  /** Whether an earlier process has accepted it. */
  readonly isRestored?: boolean
  /** Removes the request once nobody can ask for it any more. */
  expiry?: NodeJS.Timeout
}

/** The reason of an abort by somebody who wants the request to end. */
export const cancelled = (): VidError => failRender('VID_CANCELLED', {})

const nowIso = () => new Date().toISOString()

/** Accepts requests, lets them wait, renders them, and knows them until they expire. */
export const createService = (parts: ServiceParts) => {
  const { journal, projects, outputs, metrics, settings, wording, log } = parts
  const queue = createQueue(settings.maxConcurrentRenders)
  const entries = new Map<string, Entry>()
  /** Ids of requests whose body is still arriving. */
  const reserved = new Set<string>()
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  const stopping = fail('VID_PRODUCER_STOPPING', { kept: journal.isDurable })
  let sequence = 0
  /** Of the latest renders. */
  let meanSeconds = 10
  /** Requests are accepted one after another, so that they wait in the order in which they are kept. */
  let accepting: Promise<unknown> = Promise.resolve()

  const forget = async (entry: Entry) => {
    const { accepted } = entry.job
    clearTimeout(entry.expiry)
    if (entries.get(accepted.requestId) === entry) entries.delete(accepted.requestId)
    const ending = entry.job.ending()
    if (ending?.status === 'completed') outputs.remove(ending.outputs)
    await journal.forget(accepted)
  }
  const forgetLater = (entry: Entry, outputsOf: readonly Output[]) => {
    const last = Math.max(Date.now() + settings.outputTtlMs, ...outputsOf.map(({ expiresMs }) => expiresMs))
    entry.expiry = setTimeout(() => {
      forget(entry).catch((cause) =>
        log('error', { reason: describeCause(cause) }, 'cannot remove a request'),
      )
    }, last - Date.now())
    entry.expiry.unref()
  }

  const endingOf = (job: Job, thrown: unknown): Ending | undefined => {
    const endedAt = nowIso()
    const { reason } = job.signal
    // A server that stops keeps what was accepted.
    if (stop.signal.aborted && reason === stop.signal.reason && journal.isDurable) return undefined
    const error = job.signal.aborted && isVidError(reason) ? reason : codedError(thrown)
    if (error.code === 'VID_CANCELLED') return { status: 'cancelled', endedAt }
    log(
      'warn',
      { requestId: job.accepted.requestId, code: error.code, error: error.message },
      'request failed',
    )
    return {
      status: 'failed',
      endedAt,
      error: wording.replyError(error),
      httpStatus: statusOf(error, producerStatuses),
    }
  }
  /** Ends a job: kept first, told afterwards. */
  const end = async (entry: Entry, ending: Ending, seconds: number) => {
    const { job } = entry
    await journal.end(job.accepted, ending).catch((cause) => {
      log('error', { requestId: job.accepted.requestId, reason: describeCause(cause) }, 'cannot keep the end')
    })
    const made = ending.status === 'completed' ? ending.outputs : []
    outputs.add(job.accepted.owner, made)
    metrics.ended(ending.status, seconds)
    if (ending.status === 'completed') meanSeconds += (seconds - meanSeconds) / 5
    log('info', { requestId: job.accepted.requestId, status: ending.status, seconds }, 'request ended')
    entry.project?.release()
    forgetLater(entry, made)
    job.end(ending)
  }

  /** The folder of a job's composition, which must still be the one that was sent. */
  const projectDirOf = async ({ job, project, isRestored }: Entry): Promise<string> => {
    const { accepted } = job
    if (accepted.projectDir !== null) return accepted.projectDir
    const isWhole = project && (!isRestored || (await projects.isWhole(project, job.signal)))
    if (!isWhole) throw fail('VID_PRODUCER_PROJECT_LOST', {})
    return project.folder
  }
  const runOne = async (entry: Entry): Promise<Ending | undefined> => {
    const { job } = entry
    const { timeoutMs = settings.renderTimeoutMs } = job.accepted.body
    const allowedMs = Math.min(timeoutMs, settings.renderTimeoutMs)
    const deadline = setTimeout(
      () => job.cancel(fail('VID_PRODUCER_DEADLINE', { timeoutMs: allowedMs })),
      allowedMs,
    )
    try {
      const { attempts } = job.accepted
      if (attempts >= MAX_ATTEMPTS) throw fail('VID_PRODUCER_GAVE_UP', { attempts })
      await journal.start({ ...job.accepted, attempts: attempts + 1 })
      const places = { projectDir: await projectDirOf(entry), folder: journal.folderOf(job.accepted) }
      return await runJob(job, places, parts, job.signal)
    } catch (thrown) {
      return endingOf(job, thrown)
    } finally {
      clearTimeout(deadline)
    }
  }
  /** Leaves a kept request to the next process, and tells those who wait for it. */
  const putOff = async ({ job, project }: Entry) => {
    // It was not the request that ended this process.
    await journal.start(job.accepted)
    project?.release()
    job.end({ status: 'failed', endedAt: nowIso(), error: wording.replyError(stopping), httpStatus: 503 })
  }
  const work = async (entry: Entry) => {
    const { job } = entry
    const place = queue.enter((position) => job.queued(position))
    const leave = () => place.leave()
    job.signal.addEventListener('abort', leave, { once: true })
    let startedMs = performance.now()
    const ending = await place.turn.then(
      async () => {
        job.signal.removeEventListener('abort', leave)
        startedMs = performance.now()
        job.started()
        return runOne(entry)
      },
      (reason: unknown) => endingOf(job, reason),
    )
    if (ending) await end(entry, ending, (performance.now() - startedMs) / 1000)
    else await putOff(entry)
    place.leave()
  }
  const begin = (entry: Entry) => {
    entries.set(entry.job.accepted.requestId, entry)
    const working = work(entry)
      .catch((cause) => log('error', { reason: describeCause(cause) }, 'a request was lost'))
      .finally(() => running.delete(working))
    running.add(working)
  }
  const restoreOne = async ({ accepted, ending }: Kept) => {
    sequence = Math.max(sequence, accepted.sequence + 1)
    if (ending) {
      const entry: Entry = { job: createJob(accepted, ending), project: undefined }
      entries.set(accepted.requestId, entry)
      if (ending.status === 'completed') outputs.add(accepted.owner, ending.outputs)
      forgetLater(entry, ending.status === 'completed' ? ending.outputs : [])
      return
    }
    const project =
      accepted.project === null ? undefined : await projects.hold(accepted.owner, accepted.project)
    begin({ job: createJob(accepted), project, isRestored: true })
  }

  /** Seconds until a request is likely to have left the queue. */
  const retryAfter = () => Math.min(600, Math.max(1, Math.round(meanSeconds / settings.maxConcurrentRenders)))
  const checkRoom = () => {
    if (stop.signal.aborted) throw stopping
    if (queue.isFull(settings.maxQueued))
      throw fail('VID_PRODUCER_FULL', { queued: queue.waiting(), retryAfterSeconds: retryAfter() })
  }
  const acceptOne = async (asked: Asked): Promise<Job> => {
    const { requestId, owner, kind, body, projectDir, project, outputPath } = asked
    checkRoom()
    const earlier = entries.get(requestId)
    if (earlier) await forget(earlier)
    const { html: _html, ...kept } = body
    const accepted = {
      ...{ version: 1, requestId, owner, sequence, kind, body: kept, attempts: 0 },
      projectDir: projectDir ?? null,
      project: project?.digest ?? null,
      outputPath: outputPath ?? null,
      acceptedAt: nowIso(),
    } as Accepted
    sequence += 1
    await journal.accept(accepted)
    const entry = { job: createJob(accepted), project }
    begin(entry)
    log('info', { requestId, owner, kind }, 'request accepted')
    return entry.job
  }

  return {
    queue,
    isKept: journal.isDurable,
    /** Refuses what the queue has no room for, and an id that is in flight; the id is taken until `release`. */
    reserve(requestId: string): { release(): void } {
      checkRoom()
      const entry = entries.get(requestId)
      if (reserved.has(requestId) || (entry && !entry.job.ending()))
        throw fail('VID_PRODUCER_DUPLICATE', { requestId })
      reserved.add(requestId)
      return { release: () => void reserved.delete(requestId) }
    },
    /** Accepts a request: from now on it ends once. Its id must be reserved. */
    async accept(asked: Asked): Promise<Job> {
      const accepted = accepting.then(() => acceptOne(asked))
      accepting = accepted.catch(() => {})
      return accepted.catch((thrown) => {
        asked.project?.release()
        throw thrown
      })
    },
    /** The request of an owner; one of another's is unknown. */
    find(owner: string, requestId: string): Job {
      const job = entries.get(requestId)?.job
      if (job?.accepted.owner !== owner) throw fail('VID_PRODUCER_REQUEST_UNKNOWN', { requestId })
      return job
    },
    /** Ends a request that waits or runs; resolves once it has ended. */
    async cancel(job: Job) {
      const { requestId } = job.accepted
      job.cancel(cancelled())
      const { status } = await job.ended
      if (status !== 'cancelled') throw fail('VID_PRODUCER_ENDED', { requestId, status })
      return job.record()
    },
    /** Puts back into the queue what an earlier process has accepted. */
    async restore(): Promise<void> {
      const { kept, damaged } = await journal.restore()
      for (const each of kept) await restoreOne(each)
      for (const folder of damaged)
        log('error', { folder }, 'a kept request cannot be read; it is left alone')
      const waiting = kept.filter(({ ending }) => !ending).length
      if (kept.length > 0) log('info', { waiting, ended: kept.length - waiting }, 'requests restored')
    },
    /** Starts nothing more, waits so long for running requests, and stops them then. */
    async close(drainMs: number): Promise<void> {
      stop.abort(stopping)
      queue.close(stopping)
      for (const { job } of entries.values()) if (job.record().status === 'queued') job.cancel(stopping)
      const deadline = setTimeout(() => {
        for (const { job } of entries.values()) job.cancel(stopping)
      }, drainMs)
      await Promise.all(running)
      clearTimeout(deadline)
      for (const { expiry } of entries.values()) clearTimeout(expiry)
    },
  }
}

/** The requests of a render server. */
export type Service = ReturnType<typeof createService>
