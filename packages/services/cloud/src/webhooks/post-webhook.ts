import { createHmac } from 'node:crypto'
import { type CheckedAddress, isRefusedAddress, leadingTo, resolvePublic } from '@vid/assets'
import { describeCause } from '@vid/protocol'

/** A message to a receiver. */
export interface WebhookMessage {
  readonly url: string
  readonly deliveryId: string
  readonly body: string
  /** The key of its signature. */
  readonly secret: string
}

/** How messages are sent. */
export interface PostOptions {
  /** Whether receivers may be at private addresses, and without TLS. */
  readonly allowPrivate: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** The outcome of one attempt. */
export interface PostOutcome {
  readonly isDelivered: boolean
  /** HTTP status of the reply; null without one. */
  readonly status: number | null
  readonly reason: string | null
  /** Whether another attempt cannot help. */
  readonly isFinal: boolean
}

/** Signs a message: `sha256=` and the HMAC (hex) of the timestamp, a dot and the body. */
export const signWebhook = (secret: string, timestamp: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`

const finalFailure = (reason: string): PostOutcome => ({ isDelivered: false, status: null, reason, isFinal: true })
const failure = (reason: string, status: number | null = null): PostOutcome => ({
  isDelivered: false,
  status,
  reason,
  isFinal: false,
})

const reasonOf = (thrown: unknown, timeout: AbortSignal, timeoutMs: number): string => {
  if (timeout.aborted) return `no answer within ${timeoutMs / 1000} s`
  // The cause says more than "fetch failed"; a failed connection to several addresses has a code but no message.
  const cause = thrown instanceof TypeError && thrown.cause instanceof Error ? thrown.cause : thrown
  return describeCause(cause) || String((cause as NodeJS.ErrnoException).code ?? 'no connection')
}

const exchange = async (
  { url, deliveryId, body, secret }: WebhookMessage,
  host: CheckedAddress,
  signal: AbortSignal,
): Promise<PostOutcome> => {
  const { Agent, fetch } = await import('undici')
  const timestamp = `${Math.floor(Date.now() / 1000)}`
  const agent = new Agent({ connect: { lookup: leadingTo(host) } })
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      dispatcher: agent,
      signal,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'vid',
        'x-host-timestamp': timestamp,
        'x-host-signature': signWebhook(secret, timestamp, body),
        'x-host-delivery': deliveryId,
      },
    })
    if (status >= 200 && status < 300) return { isDelivered: true, status, reason: null, isFinal: true }
    return failure(status >= 300 && status < 400 ? `status ${status}, a redirect` : `status ${status}`, status)
  } finally {
    // The rest of the reply is not read.
    await agent.destroy()
  }
}

/** Sends a message once; rejects only if `signal` aborts. */
export const postWebhook = async (message: WebhookMessage, options: PostOptions): Promise<PostOutcome> => {
  const { allowPrivate, timeoutMs, signal } = options
  const url = URL.canParse(message.url) ? new URL(message.url) : undefined
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:']
  if (!url || !schemes.includes(url.protocol)) return finalFailure('the address does not begin with https://')
  if (url.username || url.password) return finalFailure('the address carries a user name or password')
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const host = await resolvePublic(url.hostname, allowPrivate)
    return await exchange(message, host, AbortSignal.any([signal, timeout]))
  } catch (thrown) {
    signal.throwIfAborted()
    return isRefusedAddress(thrown)
      ? finalFailure(describeCause(thrown))
      : failure(reasonOf(thrown, timeout, timeoutMs))
  }
}
