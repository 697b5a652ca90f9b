import { describeCause } from '@vid/kernel'
import { fail } from '../errors.ts'
import type { Journal } from '../journal/journal.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { HeldProject } from '../projects/projects.ts'
import type { Ending } from './ending.ts'
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
}

/** The requests that a server knows, by their ids: those in flight, and those that ended a while ago. */
export const createKnownRequests = ({ journal, outputs, log, ttlMs }: KnownRequestsParts) => {
  const known = new Map<string, Known>()
  const expiries = new Map<Known, NodeJS.Timeout>()
  /** Ids of requests whose body is still arriving. */
  const reserved = new Set<string>()

  const forget = async (entry: Known): Promise<void> => {
    const { accepted } = entry.job
    clearTimeout(expiries.get(entry))
    expiries.delete(entry)
    if (known.get(accepted.requestId) === entry) known.delete(accepted.requestId)
    const ending = entry.job.ending()
    if (ending?.status === 'completed') outputs.remove(ending.outputs)
    await journal.forget(accepted)
  }
  const isInFlight = (requestId: string): boolean => {
    const entry = known.get(requestId)
    return reserved.has(requestId) || (entry !== undefined && entry.job.ending() === undefined)
  }
  return {
    all: () => [...known.values()],
    /** Takes an id until `release`; refused while another request with it is in flight. */
    reserve(requestId: string): { release(): void } {
      if (isInFlight(requestId)) throw fail('VID_PRODUCER_DUPLICATE', { requestId })
      reserved.add(requestId)
      return { release: () => void reserved.delete(requestId) }
    },
    /** The request of an owner; one of another's is unknown. */
    find(owner: string, requestId: string): Job {
      const job = known.get(requestId)?.job
      if (job?.accepted.owner !== owner) throw fail('VID_PRODUCER_REQUEST_UNKNOWN', { requestId })
      return job
    },
    /** Forgets an ended request, whose id another one takes. */
    async replace(requestId: string): Promise<void> {
      const earlier = known.get(requestId)
      if (earlier) await forget(earlier)
    },
    add(entry: Known): void {
      known.set(entry.job.accepted.requestId, entry)
    },
    /** Lets the outputs of an ended request be fetched, and forgets it once they have expired. */
    expire(entry: Known, ending: Ending): void {
      const made = ending.status === 'completed' ? ending.outputs : []
      outputs.add(entry.job.accepted.owner, made)
      const last = Math.max(Date.parse(ending.endedAt) + ttlMs, ...made.map(({ expiresMs }) => expiresMs))
      const expiry = setTimeout(
        () => {
          forget(entry).catch((cause) =>
            log('error', { reason: describeCause(cause) }, 'cannot remove a request'),
          )
        },
        Math.max(0, last - Date.now()),
      )
      expiry.unref()
      expiries.set(entry, expiry)
    },
    /** Forgets nothing any more. */
    close() {
      for (const expiry of expiries.values()) clearTimeout(expiry)
    },
  }
}
