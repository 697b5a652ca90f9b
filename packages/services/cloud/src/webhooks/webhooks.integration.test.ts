import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CloudWebhookSchema } from '@vid/client/contract'
import { schemaProblems } from '@vid/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { webhookSecret } from '../accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import { emptyDatabase } from '../fixtures/database.ts'
import { newRender } from '../fixtures/renders.ts'
import { listDeliveries, removeOldDeliveries, retryDelivery } from './deliveries.ts'
import { queueWebhook } from './queue-webhook.ts'
import { MAX_ATTEMPTS, startWebhookSender, type WebhookSenderOptions } from './webhook-sender.ts'

interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
type Answer = (reply: ServerResponse) => void

/** A receiver that answers each time in turn, and then always as the last time. */
const receiver = async (...answers: Answer[]) => {
  const received: Received[] = []
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const answer = answers[Math.min(received.length, answers.length - 1)]
    received.push({ headers: request.headers, body })
    answer?.(reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook?key=hush`, port, received, close }
}

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (reply) =>
    void reply.writeHead(code, headers).end('x')

const start = (database: Database, more: Partial<WebhookSenderOptions> = {}) => {
  let signed = 0
  const problems: unknown[] = []
  const sender = startWebhookSender({
    database,
    allowPrivate: true,
    firstRetryMs: 1,
    maxRetryMs: 4,
    idleMs: 5,
    addressesOf: async ({ id, status }) => {
      signed += 1
      const isThere = status === 'completed'
      return {
        video_url: isThere ? `https://v/${id}?s=${signed}` : null,
        thumbnail_url: null,
        poster_url: null,
        playlist_url: null,
      }
    },
    onProblem: (thrown) => problems.push(thrown),
    ...more,
  })
  onTestFinished(() => sender.close())
  return { ...sender, problems }
}

const queued = async (database: Database, url: string, more: Parameters<typeof newRender>[1] = {}) => {
  const render = await newRender(database, { callbackUrl: url, ...more })
  await database.transaction((sql) => queueWebhook(sql, render.id))
  return render
}

const ended = (database: Database) =>
  vi.waitFor(
    async () => {
      const deliveries = await listDeliveries(database)
      expect(deliveries.every(({ status }) => status !== 'waiting')).toBe(true)
      return deliveries
    },
    { timeout: 60_000, interval: 10 },
  )

test('the end of a render is told once, signed with the secret of its account', async () => {
  const database = await emptyDatabase()
  const { url, received } = await receiver(status(204))
  const { id, accountId } = await queued(database, url)
  await queueWebhook(database, id)
  start(database)
  const [delivery, ...others] = await ended(database)
  expect(others).toEqual([])
  expect(delivery).toMatchObject({
    renderId: id,
    accountId,
    status: 'delivered',
    attempts: 1,
    lastStatus: 204,
    lastError: null,
    eventType: 'vid_render.completed',
    nextAt: null,
    endedAt: expect.any(Date),
  })
  expect(delivery?.url).not.toContain('hush')
  expect(received).toHaveLength(1)
  const [{ headers, body }] = received as [Received]
  const event = JSON.parse(body)
  expect(schemaProblems(CloudWebhookSchema, event)).toEqual([])
  expect(event).toMatchObject({
    event_type: 'vid_render.completed',
    event_data: {
      render_id: id,
      status: 'completed',
      video_url: `https://v/${id}?s=1`,
      callback_id: 'my id',
    },
  })
  const timestamp = String(headers['x-host-timestamp'])
  expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
  const secret = await webhookSecret(database, accountId)
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  expect(headers).toMatchObject({
    'x-host-signature': `sha256=${expected}`,
    'x-host-delivery': delivery?.id,
    'user-agent': 'vid',
    'content-type': 'application/json',
  })
})

test('a failed render says why, and one that goes on, or has no callback, says nothing', async () => {
  const database = await emptyDatabase()
  const { url, received } = await receiver(status(200))
  await queued(database, url, { status: 'queued' })
  await queueWebhook(database, (await newRender(database)).id)
  const { id } = await queued(database, url, { status: 'failed' })
  start(database)
  expect(await ended(database)).toMatchObject([{ renderId: id, eventType: 'vid_render.failed' }])
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
    event_type: 'vid_render.failed',
    event_data: { status: 'failed', failure_message: 'it does not load', video_url: null },
  })
})

test('what ends a transaction without success queues nothing', async () => {
  const database = await emptyDatabase()
  const { id } = await newRender(database, { callbackUrl: 'https://a.example' })
  const failing = database.transaction(async (sql) => {
    await queueWebhook(sql, id)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await listDeliveries(database)).toEqual([])
})

test('a receiver that fails is told again with the same id and fresh addresses, until it accepts', async () => {
  const database = await emptyDatabase()
  const hangUp: Answer = (reply) => void reply.socket?.destroy()
  const { url, received } = await receiver(status(500), hangUp, status(404), status(200))
  await queued(database, url)
  start(database)
  expect(await ended(database)).toMatchObject([{ status: 'delivered', attempts: 4, lastError: null }])
  expect(new Set(received.map(({ headers }) => headers['x-host-delivery'])).size).toBe(1)
  const addresses = received.map(({ body }) => JSON.parse(body).event_data.video_url)
  expect(new Set(addresses).size).toBe(4)
})

test.each<[string, Answer, RegExp, { readonly timeoutMs?: number }]>([
  ['is broken', status(500), /^status 500$/, {}],
  ['does not answer', () => {}, /^no answer within 0\.1 s$/, { timeoutMs: 100 }],
  ['redirects', status(307, { location: 'https://elsewhere.example' }), /^status 307, a redirect$/, {}],
])('a receiver that %s is given up after the last attempt', async (_, answer, reason, options) => {
  const database = await emptyDatabase()
  const { url, received } = await receiver(answer)
  await queued(database, url)
  start(database, options)
  const [delivery] = await ended(database)
  expect(delivery).toMatchObject({ status: 'failed', attempts: MAX_ATTEMPTS })
  expect(delivery?.lastError).toMatch(reason)
  // The time of an attempt may be over before its request has arrived.
  expect(received.length).toBeLessThanOrEqual(MAX_ATTEMPTS)
  if (options.timeoutMs === undefined) expect(received).toHaveLength(MAX_ATTEMPTS)
})

test('a receiver that fails for a day gets everything once it is back', async () => {
  const database = await emptyDatabase()
  const down = await receiver(status(503))
  const { accountId } = await queued(database, down.url)
  await queued(database, down.url, { accountId })
  // The pauses of the product, each of which is over at once.
  const slowly = { firstRetryMs: undefined, maxRetryMs: undefined }
  let sender = start(database, slowly)
  for (let hours = 0; hours < 24; ) {
    await expect
      .poll(async () => (await listDeliveries(database)).map(({ lastStatus }) => lastStatus))
      .toEqual([503, 503])
    await sender.close()
    const waiting = await listDeliveries(database)
    expect(waiting.map((delivery) => delivery.status)).toEqual(['waiting', 'waiting'])
    hours += Math.min(...waiting.map(({ nextAt }) => ((nextAt?.getTime() ?? 0) - Date.now()) / 3_600_000))
    await database.run('UPDATE vid.webhook_deliveries SET next_at = now(), last_status = NULL')
    sender = start(database, slowly)
  }
  await sender.close()
  const up = await receiver(status(200))
  await database.run('UPDATE vid.webhook_deliveries SET url = $1, next_at = now()', [up.url])
  start(database)
  expect((await ended(database)).map((delivery) => delivery.status)).toEqual(['delivered', 'delivered'])
})

test('receivers that do not answer hold up no other account, and get few messages at a time', async () => {
  const database = await emptyDatabase()
  const silent = await receiver(() => {})
  const { accountId } = await queued(database, silent.url)
  for (let count = 1; count < 70; count += 1) await queued(database, silent.url, { accountId })
  const good = await receiver(status(200))
  const other = await queued(database, good.url)
  for (let count = 1; count < 9; count += 1) await queued(database, good.url, { accountId: other.accountId })
  // Those of the silent one are due first.
  await database.run(`UPDATE vid.webhook_deliveries SET next_at = now() - interval '1 hour' WHERE account_id = $1`, [
    accountId,
  ])
  start(database, { timeoutMs: 3_600_000 })
  await expect.poll(() => good.received.length).toBe(9)
  expect(silent.received).toHaveLength(4)
})

test('a body without an end is not read', async () => {
  const database = await emptyDatabase()
  let isCut = false
  const { url } = await receiver((reply) => {
    reply.writeHead(200)
    const more = () => void (reply.destroyed || reply.write(Buffer.alloc(65_536), more))
    reply.once('close', () => {
      isCut = true
    })
    more()
  })
  await queued(database, url)
  start(database)
  expect(await ended(database)).toMatchObject([{ status: 'delivered' }])
  await expect.poll(() => isCut).toBe(true)
})

test.each([
  ['http://93.184.215.14/', /does not begin with https/],
  ['https://127.0.0.1/', /has no public address/],
  ['https://localhost/', /has no public address/],
  ['https://[::ffff:10.0.0.1]/', /has no public address/],
  ['https://169.254.169.254/latest', /has no public address/],
  ['https://me:hush@93.184.215.14/', /user name or password/],
  ['nonsense', /does not begin with https/],
])('nothing is sent to %s', async (url, reason) => {
  const database = await emptyDatabase()
  await queued(database, url)
  start(database, { allowPrivate: false })
  const [delivery] = await ended(database)
  expect(delivery).toMatchObject({ status: 'failed', attempts: 1, lastStatus: null })
  expect(delivery?.lastError).toMatch(reason)
})

test('what was not delivered when a server stopped is delivered by the next one', async () => {
  const database = await emptyDatabase()
  const down = await receiver(status(500))
  await queued(database, down.url)
  const first = start(database, { firstRetryMs: 3_600_000, maxRetryMs: 3_600_000 })
  await expect.poll(() => down.received).toHaveLength(1)
  await expect.poll(() => listDeliveries(database)).toMatchObject([{ lastStatus: 500 }])
  await first.close()
  const [{ id } = { id: '' }] = await listDeliveries(database)
  expect(await listDeliveries(database)).toMatchObject([{ status: 'waiting', attempts: 1 }])
  const { port } = down
  await down.close()
  const up = createServer((_, reply) => void reply.writeHead(200).end())
  await new Promise<void>((resolve) => up.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void up.close())
  await database.run('UPDATE vid.webhook_deliveries SET next_at = now()')
  start(database)
  expect(await ended(database)).toMatchObject([{ id, status: 'delivered', attempts: 2 }])
})

test('a stopping server gives back what it is sending', async () => {
  const database = await emptyDatabase()
  const { url, received } = await receiver(() => {})
  await queued(database, url)
  const sender = start(database)
  await expect.poll(() => received).toHaveLength(1)
  await sender.close()
  const [delivery] = await listDeliveries(database)
  expect(delivery).toMatchObject({ status: 'waiting', attempts: 0 })
  expect(delivery?.nextAt?.getTime()).toBeLessThanOrEqual(Date.now() + 1000)
})

test('a delivery whose process was killed is taken by another one when its lease has ended', async () => {
  const database = await emptyDatabase()
  const { url, received } = await receiver(status(200))
  await queued(database, url)
  const postpone = `UPDATE vid.webhook_deliveries SET attempts = $1, next_at = now() + $2 * interval '1 second'`
  await database.run(postpone, [2, 60])
  const sender = start(database)
  await sender.close()
  expect(received).toEqual([])
  await database.run(postpone, [2, -1])
  start(database)
  expect(await ended(database)).toMatchObject([{ status: 'delivered', attempts: 3 }])
})

test('a delivery that kills its process each time is given up', async () => {
  const database = await emptyDatabase()
  const { url, received } = await receiver(status(200))
  await queued(database, url)
  await database.run('UPDATE vid.webhook_deliveries SET attempts = $1', [MAX_ATTEMPTS])
  start(database)
  expect(await ended(database)).toMatchObject([{ status: 'failed' }])
  expect(received).toEqual([])
})

test('several senders send each delivery once', async () => {
  const database = await emptyDatabase()
  const { url, received } = await receiver(status(200))
  const { accountId } = await queued(database, url)
  for (let count = 1; count < 40; count += 1) await queued(database, url, { accountId })
  for (let count = 0; count < 3; count += 1) start(database)
  const deliveries = await ended(database)
  expect(deliveries).toHaveLength(40)
  expect(deliveries.every(({ status, attempts }) => status === 'delivered' && attempts === 1)).toBe(true)
  expect(new Set(received.map(({ headers }) => headers['x-host-delivery'])).size).toBe(40)
  expect(received).toHaveLength(40)
})

test('a database that is away delays, and loses nothing', async () => {
  const database = await emptyDatabase()
  const { url } = await receiver(status(200))
  await queued(database, url)
  let away = 3
  const { problems } = start({
    ...database,
    rows: async (text: string, values?: readonly unknown[]) => {
      if (away-- > 0) throw new Error('away')
      return database.rows(text, values) as never
    },
  })
  expect(await ended(database)).toMatchObject([{ status: 'delivered' }])
  expect(problems).toHaveLength(3)
})

test('deliveries are listed by account and by failure, tried again when asked, and forgotten at last', async () => {
  const database = await emptyDatabase()
  const { url } = await receiver(status(500), status(200))
  const { accountId } = await queued(database, 'https://127.0.0.1/')
  const sender = start(database, { allowPrivate: false })
  await ended(database)
  await sender.close()
  await queued(database, url)
  expect(await listDeliveries(database, { account: accountId })).toHaveLength(1)
  const [failed, ...others] = await listDeliveries(database, { failed: true })
  expect([failed?.accountId, others]).toEqual([accountId, []])
  expect(await retryDelivery(database, failed?.id ?? '')).toMatchObject({
    status: 'waiting',
    attempts: 0,
    endedAt: null,
  })
  await expect(retryDelivery(database, 'hook_x')).rejects.toMatchObject({
    code: 'VID_CLOUD_DELIVERY_MISSING',
  })
  start(database)
  await ended(database)
  await database.run(`UPDATE vid.webhook_deliveries SET ended_at = now() - interval '31 days'`)
  await removeOldDeliveries(database)
  expect(await listDeliveries(database)).toEqual([])
  await queued(database, url)
  await removeOldDeliveries(database)
  expect(await listDeliveries(database)).toHaveLength(1)
  await database.run(`UPDATE vid.webhook_deliveries SET next_at = now() - interval '31 days'`)
  await removeOldDeliveries(database)
  expect(await listDeliveries(database)).toEqual([])
})

test('a render that was deleted is told of no more', async () => {
  const database = await emptyDatabase()
  const { url, received } = await receiver(status(200))
  const { id } = await queued(database, url)
  await database.run('UPDATE vid.renders SET deleted_at = now() WHERE id = $1', [id])
  start(database)
  expect(await ended(database)).toMatchObject([{ status: 'failed', lastError: 'the render was deleted' }])
  expect(received).toEqual([])
})
