import { randomUUID } from 'node:crypto'
import { describeCause, isVidError, type VidError } from '@vid/kernel'
import { retry } from '@vid/system'
import { fail } from './errors.ts'
import { retryAfterMs, waitMs } from './retry-after.ts'
import { sign } from './signature.ts'

/** A message to post, and the limits on its delivery. */
export interface Posting {
  readonly url: URL
  readonly body: string
  readonly secret: string | undefined
  readonly headers: Headers
  readonly attempts: number
  /** Time limit of one attempt. */
  readonly timeoutMs: number
  /** Delay before the second attempt. */
  readonly backOffMs: number
  readonly signal: AbortSignal
  onRetry(reason: string): void
}

/** Outcome of one attempt: undefined if it succeeded, otherwise why it failed and when to retry. */
type Outcome = { readonly reason: string; readonly retryAfterMs?: number | undefined } | undefined

const isTemporary = (status: number) => status >= 500 || status === 429

/** Origin of a redirect's target; the rest of the URL may be secret. */
const originOf = (location: string | null, from: URL) =>
  location !== null && URL.canParse(location, from.href) ? new URL(location, from).origin : 'nowhere'

const attemptOnce = async (
  { url, body, secret, headers, timeoutMs, signal }: Posting,
  delivery: string,
): Promise<Outcome> => {
  const timestamp = `${Math.floor(Date.now() / 1000)}`
  const timeout = AbortSignal.timeout(timeoutMs)
  const sent = new Headers(headers)
  sent.set('content-type', 'application/json')
  sent.set('x-vid-timestamp', timestamp)
  sent.set('x-vid-delivery', delivery)
  if (secret !== undefined) sent.set('x-vid-signature', sign(secret, timestamp, body))
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: sent,
      signal: AbortSignal.any([signal, timeout]),
    })
    // The body of the response is not needed.
    await response.body?.cancel()
  } catch (thrown) {
    signal.throwIfAborted()
    if (timeout.aborted) return { reason: `no answer within ${timeoutMs} ms` }
    const { cause = thrown } = thrown as Error
    // A failed connection to several addresses has a code but no message.
    return { reason: describeCause(cause) || (cause as NodeJS.ErrnoException).code || 'no connection' }
  }
  const { status } = response
  const { origin } = url
  if (response.ok) return undefined
  if (isTemporary(status))
    return { reason: `status ${status}`, retryAfterMs: retryAfterMs(response.headers.get('retry-after')) }
  if (status >= 300 && status < 400)
    throw fail('VID_WEBHOOK_REDIRECTED', {
      origin,
      status,
      to: originOf(response.headers.get('location'), url),
    })
  throw fail('VID_WEBHOOK_REFUSED', { origin, status })
}

/** Posts until the receiver accepts; every attempt has the same id, by which the receiver can drop duplicates. */
export const post = (posting: Posting): Promise<void> => {
  const { url, attempts, backOffMs, signal, onRetry } = posting
  const delivery = randomUUID()
  return retry(
    async () => {
      signal.throwIfAborted()
      const refusal = await attemptOnce(posting, delivery)
      if (refusal) throw fail('VID_WEBHOOK_UNREACHABLE', { origin: url.origin, attempts, ...refusal })
    },
    {
      signal,
      retries: attempts - 1,
      may: (error) => isVidError(error) && error.code === 'VID_WEBHOOK_UNREACHABLE',
      delays: (failures, error) =>
        waitMs(failures, backOffMs, (error as VidError).facts.retryAfterMs as number | undefined),
      onRetry: (error) => onRetry(String((error as VidError).facts.reason)),
    },
  )
}
