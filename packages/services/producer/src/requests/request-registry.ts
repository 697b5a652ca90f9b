import type { HeldProject } from '@vid/project'
import { describeCause } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { Ending } from '../journal/ending.ts'
import type { RequestJournal } from '../journal/journal.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { Streams } from '../outputs/streams.ts'
import type { ServerJob } from './job.ts'
import type { Log } from './log.ts'

/** A request in memory, with the resources that it holds. */
export interface RequestEntry {
  readonly job: ServerJob
  readonly project: HeldProject | undefined
  /** Whether an earlier process accepted it. */
  readonly isRestored: boolean
}

/** Dependencies of the registry of requests. */
export interface RequestRegistryParts {
  readonly journal: RequestJournal
  readonly outputs: Outputs
  readonly streams: Streams
  readonly log: Log
  /** Minimum time that an ended request stays available. */
  readonly ttlMs: number
  /** Maximum number of ended requests; the oldest is removed first. */
  readonly maxEnded?: number
}

/** Limits the ended requests in memory, because a client may create any number of ids. */
const MAX_ENDED = 10_000

/** Ids of different owners are separate: no owner can see, block or replace another's request. */
const keyOf = (owner: string, requestId: string): string => `${owner} ${requestId}`

/** Creates the registry of requests by owner and id: those in flight, and those that ended recently. */
export const createRequestRegistry = (parts: RequestRegistryParts) => {
  const { journal, outputs, streams, log, ttlMs, maxEnded = MAX_ENDED } = parts
  const entries = new Map<string, RequestEntry>()
  const expiries = new Map<RequestEntry, NodeJS.Timeout>()
  /** Ids of requests whose body is still arriving. */
  const reserved = new Set<string>()

  const forget = async (entry: RequestEntry): Promise<void> => {
    const { accepted } = entry.job
    clearTimeout(expiries.get(entry))
    expiries.delete(entry)
    const key = keyOf(accepted.owner, accepted.requestId)
    if (entries.get(key) === entry) entries.delete(key)
    const ending = entry.job.ending()
    if (ending?.status === 'completed') outputs.remove(ending.outputs)
    streams.remove(journal.folderOf(accepted))
    await journal.forget(accepted)
  }
  const forgetLogged = (entry: RequestEntry): void => {
    forget(entry).catch((cause) => log('error', { reason: describeCause(cause) }, 'cannot remove a request'))
  }
  const isInFlight = (key: string): boolean => {
    const entry = entries.get(key)
    return reserved.has(key) || (entry !== undefined && entry.job.ending() === undefined)
  }
  return {
    /** Reserves an id until `release`; fails while another request with the id is in flight. */
    reserve(owner: string, requestId: string): { release(): void } {
      const key = keyOf(owner, requestId)
      if (isInFlight(key)) throw fail('VID_PRODUCER_DUPLICATE', { requestId })
      reserved.add(key)
      return { release: () => void reserved.delete(key) }
    },
    /** Finds a request of an owner; fails for requests of other owners. */
    find(owner: string, requestId: string): ServerJob {
      const job = entries.get(keyOf(owner, requestId))?.job
      if (!job) throw fail('VID_PRODUCER_REQUEST_UNKNOWN', { requestId })
      return job
    },
    /** Removes an ended request, so that a new one can take its id. */
    async replace(owner: string, requestId: string): Promise<void> {
      const earlier = entries.get(keyOf(owner, requestId))
      if (earlier) await forget(earlier)
    },
    add(entry: RequestEntry): void {
      const { owner, requestId } = entry.job.accepted
      entries.set(keyOf(owner, requestId), entry)
    },
    /** Makes the outputs of an ended request downloadable, and removes the request once they have expired. */
    expire(entry: RequestEntry, ending: Ending): void {
      const renderOutputs = ending.status === 'completed' ? ending.outputs : []
      outputs.add(entry.job.accepted.owner, renderOutputs)
      streams.expire(journal.folderOf(entry.job.accepted))
      const last = Math.max(Date.parse(ending.endedAt) + ttlMs, ...renderOutputs.map(({ expiresMs }) => expiresMs))
      const expiry = setTimeout(forgetLogged, Math.max(0, last - Date.now()), entry)
      expiry.unref()
      expiries.set(entry, expiry)
      const [oldest] = expiries.keys()
      if (oldest && expiries.size > maxEnded) forgetLogged(oldest)
    },
    /** Stops removing requests. */
    close() {
      for (const expiry of expiries.values()) clearTimeout(expiry)
    },
  }
}
