import type { ProducerRecord, ProducerRender, ProducerSnapshot } from '@vid/kernel'
import type { HeldProject } from '@vid/project'
import { fail } from '../errors.ts'
import type { Accepted } from '../journal/accepted.ts'
import type { Kept } from '../journal/journal.ts'
import { createJob, type Job } from './job.ts'
import { createKnownRequests } from './known-requests.ts'
import { cancelled, createWork, type WorkParts } from './work.ts'

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

/** Longest `Retry-After` for a client, in seconds. */
const MAX_RETRY_SECONDS = 600

/** Accepts requests, has them rendered, and knows them until they expire. */
export const createService = (parts: Omit<WorkParts, 'onEnd'>) => {
  const { journal, projects, settings, outputs, log } = parts
  const requests = createKnownRequests({ journal, outputs, log, ttlMs: settings.outputTtlMs })
  /** Mean of the latest renders. */
  let renderSeconds = 10
  const work = createWork({
    ...parts,
    onEnd(entry, ending, seconds) {
      requests.expire(entry, ending)
      if (ending.status === 'completed') renderSeconds += (seconds - renderSeconds) / 5
    },
  })
  let sequence = 0
  /** Requests are accepted one after another, so that they wait in the order in which they are kept. */
  let accepting: Promise<unknown> = Promise.resolve()

  const checkRoom = () => {
    work.checkOpen()
    if (!work.slots.isFull() || work.slots.waiting() < settings.maxQueued) return
    const seconds = Math.max(1, Math.round(renderSeconds / settings.maxConcurrentRenders))
    const retryAfterSeconds = Math.min(MAX_RETRY_SECONDS, seconds)
    throw fail('VID_PRODUCER_FULL', { queued: work.slots.waiting(), retryAfterSeconds })
  }
  const acceptOne = async (request: Asked): Promise<Job> => {
    const { requestId, owner, kind, body, projectDir, project, outputPath } = request
    checkRoom()
    await requests.replace(owner, requestId)
    const { html: _html, ...settingsOfBody } = body
    const accepted = {
      version: 1,
      requestId,
      owner,
      sequence,
      kind,
      body: settingsOfBody,
      attempts: 0,
      projectDir: projectDir ?? null,
      project: project?.digest ?? null,
      outputPath: outputPath ?? null,
      acceptedAt: new Date().toISOString(),
    } as Accepted
    sequence += 1
    await journal.accept(accepted)
    const entry = { job: createJob(accepted), project, isRestored: false }
    requests.add(entry)
    work.begin(entry)
    log('info', { requestId, owner, kind }, 'request accepted')
    return entry.job
  }
  const restoreOne = async ({ accepted, ending }: Kept): Promise<void> => {
    sequence = Math.max(sequence, accepted.sequence + 1)
    const project =
      accepted.project === null || ending ? undefined : await projects.hold(accepted.owner, accepted.project)
    const entry = { job: createJob(accepted, ending), project, isRestored: true }
    requests.add(entry)
    if (ending) requests.expire(entry, ending)
    else work.begin(entry)
  }

  return {
    slots: work.slots,
    find: requests.find,
    /** Refuses what the queue has no room for, and an id that is in flight; the id is taken until `release`. */
    reserve(owner: string, requestId: string): { release(): void } {
      checkRoom()
      return requests.reserve(owner, requestId)
    },
    /** Accepts a request: from now on it ends once. Its id must be reserved. */
    async accept(request: Asked): Promise<Job> {
      const acceptance = accepting.then(() => acceptOne(request))
      accepting = acceptance.catch(() => {})
      return acceptance.catch((thrown) => {
        request.project?.release()
        throw thrown
      })
    },
    /** Ends a request that waits or runs; resolves once it has ended. */
    async cancel(job: Job): Promise<ProducerRecord> {
      job.cancel(cancelled())
      const { status } = await job.ended
      if (status === 'cancelled') return job.record()
      throw fail('VID_PRODUCER_ENDED', { requestId: job.accepted.requestId, status })
    },
    /** Puts back into the queue what an earlier process has accepted. */
    async restore(): Promise<void> {
      const { kept: keptRequests, damaged } = await journal.restore()
      for (const keptRequest of keptRequests) await restoreOne(keptRequest)
      for (const folder of damaged) log('error', { folder }, 'a kept request cannot be read; it is left alone')
      const waiting = keptRequests.filter(({ ending }) => !ending).length
      if (keptRequests.length > 0) log('info', { waiting, ended: keptRequests.length - waiting }, 'requests restored')
    },
    /** Starts nothing more, waits so long for running requests, and stops them then. */
    async close(drainMs: number): Promise<void> {
      work.stop()
      // A request that is just being kept is one of those that wait.
      await accepting
      await work.close(drainMs)
      requests.close()
    },
  }
}

/** The requests of a render server. */
export type Service = ReturnType<typeof createService>
