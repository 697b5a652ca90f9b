import { VidError } from '@vid/protocol'
import { delay } from '@vid/system'
import { type CloudRecord, CloudRecordSchema, CloudReplySchema } from '../contract/index.ts'
import { fail } from '../errors.ts'
import { createRetries } from '../http/retries.ts'
import { type CloudConnection, fetchReply } from './connection.ts'
import { shownText } from './refusals.ts'

/** Options of waiting for a render. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds between two polls, randomized by a tenth; 10,000 if left out. */
  readonly pollMs?: number | undefined
  /** Longest wait in milliseconds; an hour if left out. */
  readonly maxWaitMs?: number | undefined
  /** Called with each record. */
  onRecord?(record: CloudRecord): void
  /** Called with an error after which polling continues. */
  onTrouble?(error: unknown): void
}

const POLL_MS = 10_000
const MAX_WAIT_MS = 3_600_000
const JITTER = 0.2

const RecordReply = CloudReplySchema(CloudRecordSchema)

/** Fetches the record of a render, once. */
export const fetchRecord = async (
  connection: CloudConnection,
  renderId: string,
  signal: AbortSignal,
): Promise<CloudRecord> => {
  const path = `/v3/vid/renders/${encodeURIComponent(renderId)}`
  return (await fetchReply<{ data: CloudRecord }>(connection, RecordReply, { method: 'GET', path, signal })).data
}

/**
 * Waits until a render has completed or failed, through temporary errors; the render continues if the wait ends early.
 */
export const waitForRender = async (
  connection: CloudConnection,
  renderId: string,
  { signal: outer, pollMs = POLL_MS, maxWaitMs = MAX_WAIT_MS, onRecord, onTrouble }: WaitOptions = {},
): Promise<CloudRecord> => {
  const { limits } = connection
  const { followMs } = limits
  const retries = createRetries(connection, {
    ...limits,
    awayMs: followMs,
    fullMs: followMs,
    brokenMs: followMs,
  })
  let status: string = 'queued'
  const deadline = AbortSignal.timeout(Math.min(maxWaitMs, 2 ** 31 - 1))
  const signal = outer ? AbortSignal.any([outer, deadline]) : deadline
  try {
    for (;;) {
      try {
        const record = await fetchRecord(connection, renderId, signal)
        retries.reset()
        status = record.status
        onRecord?.(record)
        if (status === 'completed' || status === 'failed') return record
        const jitter = 1 + JITTER * (Math.random() - 0.5)
        await delay(pollMs * jitter, signal)
      } catch (thrown) {
        signal.throwIfAborted()
        await retries.next(thrown, { signal })
        onTrouble?.(thrown)
      }
    }
  } catch (thrown) {
    if (outer?.aborted) throw outer.reason
    if (!deadline.aborted) throw thrown
    throw fail('VID_API_WAIT_OVER', { renderId, minutes: maxWaitMs / 60_000, status })
  }
}

const CODE = /^[A-Za-z][A-Za-z0-9_]{1,99}$/

/** Why a render failed, with the server's error code if it has one. */
export const renderFailure = ({
  render_id: renderId,
  failure_code: code,
  failure_message: text,
}: CloudRecord): VidError => {
  const reason = shownText(text ?? 'the server does not say why')
  const plain = fail('VID_API_RENDER_FAILED', { renderId, reason })
  if (code === null || !CODE.test(code)) return plain
  return new VidError(code, { message: reason, hint: plain.hint, fault: 'render' }, { renderId })
}
