import type { ProducerEvent, ProducerProgress, ProducerRecord, ProducerResult } from '@vid/client/contract'
import type { Accepted } from '../journal/accepted.ts'
import type { Ending } from '../journal/ending.ts'

/** A request in memory: its content, its progress and its listeners. */
export interface ServerJob {
  /** The request; its body is dropped once it has ended, because ended requests are kept and bodies may be large. */
  readonly accepted: Accepted
  /** Aborts if the request should stop. */
  readonly signal: AbortSignal
  /** Resolves once, with the outcome. */
  readonly ended: Promise<Ending>
  ending(): Ending | undefined
  record(): ProducerRecord
  /** Calls `listener` with the event of the current state, then with each further one, until the last. */
  listen(listener: (event: ProducerEvent) => void): () => void
  cancel(reason: Error): void
  queued(position: number): void
  started(): void
  progressed(progress: ProducerProgress): void
  /** Reports where the video can be played while it is rendered. */
  published(playlistUrl: string): void
  end(ending: Ending): void
}

/** The last event of a request. */
const lastEvent = (requestId: string, ending: Ending): ProducerEvent => {
  if (ending.status === 'completed') return { type: 'complete', ...(ending.result as ProducerResult) }
  if (ending.status === 'failed') return { type: 'error', requestId, error: ending.error }
  return { type: 'cancelled', requestId }
}

/** What a record says of the end of its request. */
const endOf = (ending: Ending) => ({
  status: ending.status,
  endedAt: ending.endedAt,
  ...(ending.status === 'completed' && { result: ending.result }),
  ...(ending.status === 'failed' && { error: ending.error }),
})

/** The listeners of a request, until it has ended. */
const createListeners = () => {
  const listeners = new Set<(event: ProducerEvent) => void>()
  return {
    add(listener: (event: ProducerEvent) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell(event: ProducerEvent) {
      for (const listener of listeners) listener(event)
    },
    clear: () => listeners.clear(),
  }
}

const isoTime = (): string => new Date().toISOString()

const withoutBody = (accepted: Accepted): Accepted => ({ ...accepted, body: {} })

/** Creates the job of an accepted request; `earlier` is the outcome if it ended before the server started. */
export const createJob = (accepted: Accepted, earlier?: Ending): ServerJob => {
  const { requestId, acceptedAt } = accepted
  const stop = new AbortController()
  const listeners = createListeners()
  const { tell } = listeners
  let resolveEnded: (ending: Ending) => void = () => {}
  const ended = new Promise<Ending>((resolve) => {
    resolveEnded = resolve
  })
  let current = earlier ? withoutBody(accepted) : accepted
  let ending = earlier
  if (earlier) resolveEnded(earlier)
  let position: number | undefined
  let isStarted = false
  let progress: ProducerProgress | undefined
  let playlist: Pick<ProducerRecord, 'playlistUrl'> = {}

  const present = (): ProducerEvent | undefined => {
    if (ending) return lastEvent(requestId, ending)
    if (progress) return { type: 'progress', requestId, ...progress, ...playlist }
    return position === undefined ? undefined : { type: 'queued', requestId, position }
  }
  return {
    get accepted() {
      return current
    },
    signal: stop.signal,
    ended,
    ending: () => ending,
    record() {
      const { startedAt } = current
      const times = { acceptedAt, ...(startedAt !== undefined && { startedAt }) }
      const base = { success: true as const, requestId, ...times, ...playlist }
      if (ending) return { ...base, ...endOf(ending) }
      return {
        ...base,
        status: isStarted ? 'running' : 'queued',
        ...(!isStarted && position !== undefined && { position }),
        ...(progress && { progress }),
      }
    },
    listen(listener) {
      const now = present()
      if (now) listener(now)
      return ending ? () => {} : listeners.add(listener)
    },
    cancel(reason) {
      if (!ending) stop.abort(reason)
    },
    queued(ahead) {
      position = ahead
      tell({ type: 'queued', requestId, position: ahead })
    },
    started() {
      isStarted = true
      // A request that an earlier process started keeps its start time.
      current = { ...current, startedAt: current.startedAt ?? isoTime() }
      position = undefined
    },
    progressed(now) {
      progress = now
      tell({ type: 'progress', requestId, ...now, ...playlist })
    },
    published(playlistUrl) {
      playlist = { playlistUrl }
      if (progress) tell({ type: 'progress', requestId, ...progress, playlistUrl })
    },
    end(how) {
      if (ending) return
      ending = how
      current = withoutBody(current)
      tell(lastEvent(requestId, ending))
      listeners.clear()
      resolveEnded(ending)
    },
  }
}
