import { randomUUID } from 'node:crypto'
import { isVidError, type VidError } from '@vid/protocol'
import { lateSignal } from '@vid/remote'
import type { Retries } from '@vid/system'
import type { ProducerEvent, ProducerRender, ProducerResult } from '../contract/index.ts'
import { fail } from '../errors.ts'
import { refusalFacts } from '../http/refusals.ts'
import { createRetries } from '../http/retries.ts'
import type { ProducerConnection } from './connection.ts'
import { readEvents } from './events.ts'
import { remoteError } from './refusals.ts'

/** Limit on resubmissions after a server has lost a request or its project. */
const MAX_FORGOTTEN = 4

/** Options of `render`. */
export interface RenderCall {
  readonly signal?: AbortSignal
  /** Called with each queue position and progress that the server reports. */
  onEvent?(event: ProducerEvent): void
  /** Called before each submission; sends the project if the server lacks it. */
  prepare?(signal: AbortSignal): Promise<unknown>
}

const hasCode = (thrown: unknown, code: string): thrown is VidError => isVidError(thrown) && thrown.code === code

const cut = (url: string) => fail('VID_PRODUCER_CUT', { url, reason: 'it ended before the render did' })

/** Codes of a server that has lost a request or its project. */
const FORGOTTEN: ReadonlySet<string> = new Set(['VID_PRODUCER_REQUEST_UNKNOWN', 'VID_PRODUCER_PROJECT_UNKNOWN'])

/** A submitted request and its state. */
interface Submission {
  readonly requestId: string
  readonly request: ProducerRender
  /** Whether the server may have accepted it. */
  isThere: boolean
}

/** Submits a request; resolves once the server has accepted it, now or earlier. */
const submit = async (connection: ProducerConnection, submission: Submission, signal: AbortSignal): Promise<void> => {
  const { requestId, request } = submission
  // Waits for the reply even after an abort, so that the render can be cancelled and does not continue unnoticed.
  const late = lateSignal(signal, connection.limits.cancelMs)
  submission.isThere = true
  try {
    const reply = await connection.send({
      method: 'POST',
      path: '/render',
      signal: late.signal,
      body: JSON.stringify(request),
      headers: { 'content-type': 'application/json', 'x-request-id': requestId, prefer: 'respond-async' },
    })
    reply.drop()
  } catch (thrown) {
    // An earlier attempt arrived, but its reply was lost.
    if (hasCode(thrown, 'VID_PRODUCER_DUPLICATE')) return
    if (isVidError(thrown) && refusalFacts(thrown)) submission.isThere = false
    throw thrown
  } finally {
    late.end()
  }
  signal.throwIfAborted()
}

/** Follows an accepted request to its end. */
const follow = async (
  connection: ProducerConnection,
  submission: Submission,
  retries: Retries,
  { onEvent }: RenderCall,
  signal: AbortSignal,
): Promise<ProducerResult> => {
  const { requestId } = submission
  const reply = await connection.send({
    method: 'GET',
    path: `/render/${requestId}/stream`,
    signal,
    headers: { accept: 'text/event-stream' },
  })
  for await (const event of readEvents(reply, connection, requestId, signal)) {
    if (event.type === 'complete') {
      const { type: _type, ...result } = event
      return result
    }
    if (event.type === 'cancelled') {
      submission.isThere = false
      throw fail('VID_PRODUCER_CANCELLED', { requestId })
    }
    if (event.type === 'error') {
      const error = remoteError(event.error, connection)
      // A stopping server may continue the request after its restart.
      if (refusalFacts(error)?.mayPass === false) submission.isThere = false
      throw error
    }
    retries.reset()
    onEvent?.(event)
  }
  throw cut(connection.url)
}

/** Cancels a request if the server can be reached in time; never throws. */
const cancelQuietly = async (connection: ProducerConnection, requestId: string): Promise<void> => {
  try {
    const signal = AbortSignal.timeout(connection.limits.cancelMs)
    const reply = await connection.send({ method: 'DELETE', path: `/render/${requestId}`, signal })
    reply.drop()
  } catch {
    // It has ended, or the server is unreachable; a render without a follower ends on its own.
  }
}

/** Handles a failure: returns to retry, and throws if that is useless. */
const recover = (
  connection: ProducerConnection,
  submission: Submission,
  forgotten: { times: number },
  thrown: unknown,
): 'wait' | 'again' => {
  if (!isVidError(thrown) || !FORGOTTEN.has(thrown.code)) return 'wait'
  submission.isThere = false
  forgotten.times += 1
  if (forgotten.times < MAX_FORGOTTEN) return 'again'
  throw fail('VID_PRODUCER_LOST', { url: connection.url, times: forgotten.times }, { cause: thrown })
}

/**
 * Renders a request on the server, across broken connections and restarts of the server. The request is submitted
 * without waiting for its end and then followed, so that a broken connection does not cancel it. If this call ends
 * early, it cancels the request.
 */
export const renderOnServer = async (
  connection: ProducerConnection,
  request: ProducerRender,
  call: RenderCall,
): Promise<ProducerResult> => {
  const signal = call.signal ?? new AbortController().signal
  const submission: Submission = { requestId: randomUUID(), request, isThere: false }
  const retries = createRetries(connection)
  const forgotten = { times: 0 }
  try {
    for (;;) {
      if (!submission.isThere) await call.prepare?.(signal)
      try {
        if (!submission.isThere) await submit(connection, submission, signal)
        return await follow(connection, submission, retries, call, signal)
      } catch (thrown) {
        signal.throwIfAborted()
        const next = recover(connection, submission, forgotten, thrown)
        if (next === 'wait') await retries.next(thrown, { signal })
      }
    }
  } catch (thrown) {
    if (submission.isThere) await cancelQuietly(connection, submission.requestId)
    throw thrown
  }
}
