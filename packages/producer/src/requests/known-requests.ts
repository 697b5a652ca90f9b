import { describeCause } from '@vid/kernel'
import type { HeldProject } from '@vid/project'
import { fail } from '../errors.ts'
import type { Ending } from '../journal/ending.ts'
import type { Journal } from '../journal/journal.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { Job } from './job.ts'
import type { Log } from './log.ts'

/** A request that the server knows, with what it holds. */
export interface Known {
  readonly job: Job
  readonly project: HeldProject | undefined
  /** Whether an earlier process has accepted it. */
  readonly isRestored: boolean
}

/** What known requests are kept in. */
export interface KnownRequestsParts {
  readonly journal: Journal
  readonly outputs: Outputs
  readonly log: Log
  /** How long a request is known after its end, at least. */
  readonly ttlMs: number
  /** Ended requests that are known at most; the oldest is forgotten first. */
  readonly maxEnded?: number
}

/** Ended requests that are kept, and only so many: a client may make any number of ids. */
const MAX_ENDED = 10_000

/** Ids of different owners are separate: no owner can see, block or replace a request of another. */
const keyOf = (owner: string, requestId: string): string => `${owner} ${requestId}`

/** The requests that a server knows, by their owners and ids: those in flight, and those that ended a while ago. */
export const createKnownRequests = ({ journal, outputs, log, ttlMs, maxEnded = MAX_ENDED }: KnownRequestsParts) => {
  const entries = new Map<string, Known>()
  const expiries = new Map<Known, NodeJS.Timeout>()
  /** Ids of requests whose body is still arriving. */
  const reserved = new Set<string>()

  const forget = async (entry: Known): Promise<void> => {
    const { accepted } = entry.job
    clearTimeout(expiries.get(entry))
    expiries.delete(entry)
    const key = keyOf(accepted.owner, accepted.requestId)
    if (entries.get(key) === entry) entries.delete(key)
    const ending = entry.job.ending()
    if (ending?.status === 'completed') outputs.remove(ending.outputs)
    await journal.forget(accepted)
  }
  const forgetLogged = (entry: Known): void => {
    forget(entry).catch((cause) => log('error', { reason: describeCause(cause) }, 'cannot remove a request'))
  }
  const isInFlight = (key: string): boolean => {
    const entry = entries.get(key)
    return reserved.has(key) || (entry !== undefined && entry.job.ending() === undefined)
  }
  return {
    /** Takes an id until `release`; refused while another request with it is in flight. */
    reserve(owner: string, requestId: string): { release(): void } {
      const key = keyOf(owner, requestId)
      if (isInFlight(key)) throw fail('VID_PRODUCER_DUPLICATE', { requestId })
      reserved.add(key)
      return { release: () => void reserved.delete(key) }
    },
    /** The request of an owner; one of another's is unknown. */
    find(owner: string, requestId: string): Job {
      const job = entries.get(keyOf(owner, requestId))?.job
      if (!job) throw fail('VID_PRODUCER_REQUEST_UNKNOWN', { requestId })
      return job
    },
    /** Forgets an ended request, whose id another one takes. */
    async replace(owner: string, requestId: string): Promise<void> {
      const earlier = entries.get(keyOf(owner, requestId))
      if (earlier) await forget(earlier)
    },
    add(entry: Known): void {
      const { owner, requestId } = entry.job.accepted
      entries.set(keyOf(owner, requestId), entry)
    },
    /** Lets the outputs of an ended request be fetched, and forgets it once they have expired. */
    expire(entry: Known, ending: Ending): void {
      const renderOutputs = ending.status === 'completed' ? ending.outputs : []
      outputs.add(entry.job.accepted.owner, renderOutputs)
      const last = Math.max(Date.parse(ending.endedAt) + ttlMs, ...renderOutputs.map(({ expiresMs }) => expiresMs))
      const expiry = setTimeout(forgetLogged, Math.max(0, last - Date.now()), entry)
      expiry.unref()
      expiries.set(entry, expiry)
      const [oldest] = expiries.keys()
      if (oldest && expiries.size > maxEnded) forgetLogged(oldest)
    },
    /** Forgets nothing any more. */
    close() {
      for (const expiry of expiries.values()) clearTimeout(expiry)
    },
  }
}
