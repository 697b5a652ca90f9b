import { backOff, delay } from '@vid/system'
import type { Database } from '../database/database.ts'
import type { ResultAddresses } from '../renders/result-addresses.ts'
import { type PostOutcome, postWebhook } from './post-webhook.ts'
import { webhookBody } from './webhook-body.ts'

/** Maximum number of attempts per delivery. */
export const MAX_ATTEMPTS = 6
/** Seconds after which another process takes over a delivery whose process died; longer than an attempt. */
const LEASE_SECONDS = 60
const AT_ONCE = 16
const IDLE_MS = 1_000
const MAX_REASON = 300

/** Options of a webhook sender. */
export interface WebhookSenderOptions {
  readonly database: Database
  readonly addressesOf: ResultAddresses
  /** Whether receivers may be at private addresses, and without TLS. */
  readonly allowPrivate?: boolean | undefined
  /** Timeout for the receiver's reply. */
  readonly timeoutMs?: number | undefined
  /** Delay before the second attempt; each further delay is four times as long. */
  readonly firstRetryMs?: number | undefined
  /** How often the table is polled. */
  readonly idleMs?: number | undefined
  /** Called with each problem that prevents sending, such as an unreachable database; sending continues. */
  onProblem(thrown: unknown): void
}

/** Sends due webhooks, beside the senders of other processes. */
export interface WebhookSender {
  /** Stops; returns unfinished deliveries, so that they are sent later. */
  close(): Promise<void>
}

interface Claimed {
  readonly id: string
  readonly render_id: string
  readonly event_type: string
  readonly url: string
  readonly attempts: number
  readonly secret: string
}

/**
 * Claims due deliveries. An attempt counts from its start, so that a delivery that crashes its process is not retried
 * forever.
 */
const claim = (database: Database, limit: number): Promise<Claimed[]> =>
  database.rows<Claimed>(
    `UPDATE vid.webhook_deliveries d SET attempts = d.attempts + 1,
       next_at = now() + interval '${LEASE_SECONDS} seconds'
     FROM vid.accounts a
     WHERE a.id = d.account_id AND d.id IN (
       SELECT id FROM vid.webhook_deliveries WHERE status = 'waiting' AND next_at <= now()
       ORDER BY next_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING d.id, d.render_id, d.event_type, d.url, d.attempts, a.webhook_secret AS secret`,
    [limit],
  )

const note = async (
  { database, firstRetryMs = 10_000 }: WebhookSenderOptions,
  { id, attempts }: Claimed,
  { isDelivered, status, reason, isFinal }: PostOutcome,
): Promise<void> => {
  const isOver = isDelivered || isFinal || attempts >= MAX_ATTEMPTS
  // Another process may have taken it over.
  await database.run(
    `UPDATE vid.webhook_deliveries SET status = $3, last_status = $4, last_error = $5,
       next_at = now() + $6 * interval '1 millisecond', ended_at = CASE WHEN $3 <> 'waiting' THEN now() END
     WHERE id = $1 AND attempts = $2 AND status = 'waiting'`,
    [
      id,
      attempts,
      isDelivered ? 'delivered' : isOver ? 'failed' : 'waiting',
      status,
      reason?.slice(0, MAX_REASON) ?? null,
      Math.round(backOff({ firstMs: firstRetryMs, factor: 4 })(attempts)),
    ],
  )
}

const GONE = { isDelivered: false, status: null, isFinal: true } as const

const attempt = async (options: WebhookSenderOptions, claimed: Claimed, signal: AbortSignal): Promise<PostOutcome> => {
  const { database, addressesOf, allowPrivate = false, timeoutMs = 10_000 } = options
  const { id, render_id, event_type, url, attempts, secret } = claimed
  if (attempts > MAX_ATTEMPTS) return { ...GONE, reason: 'the server ended during the last attempt' }
  const body = await webhookBody(database, render_id, event_type, addressesOf)
  if (!body) return { ...GONE, reason: 'the render was deleted' }
  const message = { url, deliveryId: id, secret, body: JSON.stringify(body) }
  return postWebhook(message, { allowPrivate, timeoutMs, signal })
}

const giveBack = (database: Database, { id, attempts }: Claimed) =>
  database.run(
    `UPDATE vid.webhook_deliveries SET attempts = attempts - 1, next_at = now()
     WHERE id = $1 AND attempts = $2 AND status = 'waiting'`,
    [id, attempts],
  )

/**
 * Sends webhooks from their table, which is the queue: the row written when a render ends is sent, listed and retried,
 * and every process takes rows that no other one holds.
 */
export const startWebhookSender = (options: WebhookSenderOptions): WebhookSender => {
  const { database, onProblem, idleMs = IDLE_MS } = options
  const stop = new AbortController()
  const { signal } = stop
  const sending = new Set<Promise<void>>()

  const send = async (claimed: Claimed): Promise<void> => {
    try {
      await note(options, claimed, await attempt(options, claimed, signal))
    } catch (thrown) {
      // Otherwise its lease expires on its own.
      if (signal.aborted) await giveBack(database, claimed).catch(onProblem)
      else onProblem(thrown)
    }
  }
  const round = async (): Promise<void> => {
    const claimed = await claim(database, AT_ONCE - sending.size)
    for (const delivery of claimed) {
      const sendingTask = send(delivery).finally(() => sending.delete(sendingTask))
      sending.add(sendingTask)
    }
    if (sending.size >= AT_ONCE) await Promise.race(sending)
    else if (claimed.length === 0) await delay(idleMs, signal)
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted)
      await round().catch(async (thrown: unknown) => {
        if (signal.aborted) return
        onProblem(thrown)
        await delay(idleMs, signal).catch(() => {})
      })
    await Promise.all(sending)
  }
  const loop = run()
  return {
    async close() {
      stop.abort()
      await loop
    },
  }
}
