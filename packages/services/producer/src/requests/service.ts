import type { ProducerRecord, ProducerRender, ProducerSnapshot } from '@vid/client/contract'
import type { HeldProject } from '@vid/project'
import { createSequence } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { Accepted } from '../journal/accepted.ts'
import type { StoredRequest } from '../journal/journal.ts'
import { createJob, type ServerJob } from './job.ts'
import { createRequestRegistry } from './request-registry.ts'
import { cancelled, createWork, type RequestParts } from './work.ts'

/** A checked request. */
export interface CheckedRequest {
  readonly requestId: string
  readonly owner: string
  readonly kind: Accepted['kind']
  readonly body: ProducerRender | ProducerSnapshot
  /** Absolute folder on the server that contains the composition; undefined if it was uploaded. */
  readonly projectDir?: string | undefined
  /** The uploaded project; the service releases it when the request ends. */
  readonly project?: HeldProject | undefined
  readonly outputPath?: string | undefined
}

/** Largest `Retry-After`, in seconds. */
const MAX_RETRY_SECONDS = 600

/** Creates the service that accepts and renders requests, and keeps them until they expire. */
export const createService = (parts: Omit<RequestParts, 'onEnd'>) => {
  const { journal, projects, settings, outputs, streams, log } = parts
  const requests = createRequestRegistry({ journal, outputs, streams, log, ttlMs: settings.outputTtlMs })
  /** Average duration of recent renders. */
  let renderSeconds = 10
  const work = createWork({
    ...parts,
    onEnd(entry, ending, seconds) {
      requests.expire(entry, ending)
      if (ending.status === 'completed') renderSeconds += (seconds - renderSeconds) / 5
    },
  })
  let sequence = 0
  /** Requests are accepted one at a time, so that they queue in the order in which they are stored. */
  const inTurn = createSequence()

  const checkRoom = () => {
    work.checkOpen()
    if (!work.slots.isFull() || work.slots.waiting() < settings.maxQueued) return
    const seconds = Math.max(1, Math.round(renderSeconds / settings.maxConcurrentRenders))
    const retryAfterSeconds = Math.min(MAX_RETRY_SECONDS, seconds)
    throw fail('VID_PRODUCER_FULL', { queued: work.slots.waiting(), retryAfterSeconds })
  }
  const acceptOne = async (request: CheckedRequest): Promise<ServerJob> => {
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
  const restoreOne = async ({ accepted, ending }: StoredRequest): Promise<void> => {
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
    /** Reserves an id until `release`; fails if the queue is full or the id is in flight. */
    reserve(owner: string, requestId: string): { release(): void } {
      checkRoom()
      return requests.reserve(owner, requestId)
    },
    /** Accepts a request, which from then on ends exactly once. Its id must be reserved. */
    async accept(request: CheckedRequest): Promise<ServerJob> {
      return inTurn(() => acceptOne(request)).catch((thrown) => {
        request.project?.release()
        throw thrown
      })
    },
    /** Cancels a waiting or running request; resolves once it has ended. */
    async cancel(job: ServerJob): Promise<ProducerRecord> {
      job.cancel(cancelled())
      const { status } = await job.ended
      if (status === 'cancelled') return job.record()
      throw fail('VID_PRODUCER_ENDED', { requestId: job.accepted.requestId, status })
    },
    /** Queues the requests that an earlier process accepted. */
    async restore(): Promise<void> {
      const { kept: keptRequests, damaged } = await journal.restore()
      for (const keptRequest of keptRequests) await restoreOne(keptRequest)
      for (const folder of damaged) log('error', { folder }, 'a stored request cannot be read; it is left alone')
      const waiting = keptRequests.filter(({ ending }) => !ending).length
      if (keptRequests.length > 0) log('info', { waiting, ended: keptRequests.length - waiting }, 'requests restored')
    },
    /** Starts no further requests, waits up to `drainMs` for running ones, then stops them. */
    async close(drainMs: number): Promise<void> {
      work.stop()
      // A request that is being stored is among the waiting ones.
      await inTurn(async () => {})
      await work.close(drainMs)
      requests.close()
    },
  }
}

/** The service that accepts and renders requests. */
export type Service = ReturnType<typeof createService>
