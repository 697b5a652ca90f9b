import { backOff, delay } from '@vid/system'
import type { Database } from '../database/database.ts'
import type { ResultAddresses } from '../renders/result-addresses.ts'
import { type PostOutcome, postWebhook } from './post-webhook.ts'
import { webhookBody } from './webhook-body.ts'

/** Maximum number of attempts per delivery: with all pauses, which vary, they take 26 to 52 hours. */
export const MAX_ATTEMPTS = 15
const SIX_HOURS_MS = 6 * 3_600_000
/** Seconds after which another process takes over a delivery whose process died; longer than an attempt. */
const LEASE_SECONDS = 60
/** Deliveries that a process sends at once, and those of one account: receivers that do not answer hold up no others. */
const AT_ONCE = 64
const OF_ACCOUNT = 4
/** Due deliveries that are looked at for those to send next. */
const LOOKED_AT = 1000
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
  /** Longest delay between two attempts. */
  readonly maxRetryMs?: number | undefined
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
  readonly account_id: string
  readonly render_id: string
  readonly event_type: string
  readonly url: string
  readonly attempts: number
  readonly secret: string
}

/**
 * Claims due deliveries, of each account as many as it has room for, by default `OF_ACCOUNT`. An attempt counts from its
 * start, so that a delivery that crashes its process is not retried forever.
 */
const claim = (database: Database, limit: number, rooms: ReadonlyMap<string, number>): Promise<Claimed[]> => {
  const full = [...rooms].flatMap(([account, room]) => (room <= 0 ? account : []))
  return database.rows<Claimed>(
    `WITH due AS (
       SELECT id, account_id, next_at FROM vid.webhook_deliveries
       WHERE status = 'waiting' AND next_at <= now() AND account_id <> ALL($2::text[])
       ORDER BY next_at LIMIT ${LOOKED_AT}),
     placed AS (
       SELECT id, account_id, next_at, row_number() OVER (PARTITION BY account_id ORDER BY next_at) AS place FROM due),
     chosen AS (
       SELECT placed.id FROM placed
       LEFT JOIN unnest($3::text[], $4::int[]) AS rooms (account_id, room) USING (account_id)
       WHERE place <= coalesce(room, ${OF_ACCOUNT}) ORDER BY next_at LIMIT $1)
     UPDATE vid.webhook_deliveries d SET attempts = d.attempts + 1,
       next_at = now() + interval '${LEASE_SECONDS} seconds'
     FROM vid.accounts a
     WHERE a.id = d.account_id AND d.id IN (
       SELECT id FROM vid.webhook_deliveries
       WHERE id IN (SELECT id FROM chosen) AND status = 'waiting' AND next_at <= now() FOR UPDATE SKIP LOCKED)
     RETURNING d.id, d.account_id, d.render_id, d.event_type, d.url, d.attempts, a.webhook_secret AS secret`,
    [limit, full, [...rooms.keys()], [...rooms.values()]],
  )
}

const note = async (
  { database, firstRetryMs = 10_000, maxRetryMs = SIX_HOURS_MS }: WebhookSenderOptions,
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
      Math.round(backOff({ firstMs: firstRetryMs, factor: 4, maxMs: maxRetryMs })(attempts)),
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

/** How many more deliveries of each account a process may send; of one whose receiver failed last, it sends one at a time. */
const createRooms = () => {
  const sending = new Map<string, number>()
  const failing = new Set<string>()
  return {
    /** Only of the accounts that have less room than others. */
    list: (): ReadonlyMap<string, number> =>
      new Map(
        [...new Set([...sending.keys(), ...failing])].map((account) => [
          account,
          (failing.has(account) ? 1 : OF_ACCOUNT) - (sending.get(account) ?? 0),
        ]),
      ),
    begin(account: string) {
      sending.set(account, (sending.get(account) ?? 0) + 1)
    },
    /** `isDelivered` is left out if nothing was learned of the receiver. */
    end(account: string, isDelivered?: boolean) {
      const count = (sending.get(account) ?? 0) - 1
      if (count > 0) sending.set(account, count)
      else sending.delete(account)
      if (isDelivered === true) failing.delete(account)
      if (isDelivered === false) failing.add(account)
    },
  }
}

/**
 * Sends webhooks from their table, which is the queue: the row written when a render ends is sent, listed and retried,
 * and every process takes rows that no other one holds.
 */
export const startWebhookSender = (options: WebhookSenderOptions): WebhookSender => {
  const { database, onProblem, idleMs = IDLE_MS } = options
  const stop = new AbortController()
  const { signal } = stop
  const sending = new Set<Promise<void>>()
  const rooms = createRooms()

  const send = async (claimed: Claimed): Promise<void> => {
    let isDelivered: boolean | undefined
    try {
      const outcome = await attempt(options, claimed, signal)
      // What no attempt can deliver was not sent.
      if (outcome.isDelivered || !outcome.isFinal) isDelivered = outcome.isDelivered
      await note(options, claimed, outcome)
    } catch (thrown) {
      // Otherwise its lease expires on its own.
      if (signal.aborted) await giveBack(database, claimed).catch(onProblem)
      else onProblem(thrown)
    } finally {
      rooms.end(claimed.account_id, isDelivered)
    }
  }
  /** Waits until there may be more to send: a delivery that ends makes room for others of its account. */
  const untilOneEnds = async (): Promise<void> => {
    const over = new AbortController()
    const waiting = delay(idleMs, AbortSignal.any([signal, over.signal]))
    await Promise.race([waiting, ...sending]).finally(() => over.abort())
  }
  const round = async (): Promise<void> => {
    const claimed = await claim(database, AT_ONCE - sending.size, rooms.list())
    for (const delivery of claimed) {
      rooms.begin(delivery.account_id)
      const sendingTask = send(delivery).finally(() => sending.delete(sendingTask))
      sending.add(sendingTask)
    }
    if (sending.size >= AT_ONCE) await Promise.race(sending)
    else if (claimed.length === 0) await untilOneEnds()
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
