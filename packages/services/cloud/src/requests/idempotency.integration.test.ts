import { expect, test } from 'vitest'
import { newAccount, page, patient, startCloud, zipOf } from '../fixtures/cloud.ts'
import { doOnce, removeOldReplies } from './idempotency.ts'

const keyed = (key: string) => ({ 'idempotency-key': key })

const countRenders = async ({ database, account }: Awaited<ReturnType<typeof startCloud>>) => {
  const [row] = await database.rows<{ count: number }>(
    'SELECT count(*) AS count FROM vid.renders WHERE account_id = $1',
    [account.id],
  )
  return row?.count
}

test('20 equal submissions at once, to two processes, make one render', async () => {
  const cloud = await startCloud()
  const other = await startCloud({ storage: `${cloud.state}/files` }, { database: cloud.database })
  const assetId = await cloud.asset()
  const send = async (index: number): Promise<string> => {
    const url = index % 2 === 0 ? cloud.url : other.url
    for (;;) {
      const response = await fetch(`${url}/v3/vid/renders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': cloud.account.key, ...keyed('same') },
        body: JSON.stringify({ project: { type: 'asset_id', asset_id: assetId } }),
      })
      const { data, error } = (await response.json()) as {
        data?: { render_id: string }
        error?: { code: string }
      }
      if (data) return `${response.status} ${data.render_id}`
      // Sent again as Retry-After says, without the waiting.
      expect([response.status, error?.code]).toEqual([409, 'request_in_progress'])
      expect(response.headers.get('retry-after')).toBe('1')
    }
  }
  const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index)))
  expect(new Set(replies).size).toBe(1)
  expect(await countRenders(cloud)).toBe(1)
  expect([...cloud.queued, ...other.queued]).toHaveLength(1)
})

test('a repeated submission gets the first reply, also where a default is spelt out; keys of accounts are apart', async () => {
  const cloud = await startCloud()
  const assetId = await cloud.asset()
  const first = await cloud.submit(assetId, { title: 'a' }, keyed('k'))
  expect(first.headers.has('idempotency-replayed')).toBe(false)
  const again = await cloud.submit(assetId, { fps: 30, title: 'a', variables: {} }, keyed('k'))
  expect([again.status, again.json]).toEqual([first.status, first.json])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const other = await newAccount(cloud.database)
  const headers = { ...keyed('k'), 'x-api-key': other.key }
  expect((await cloud.submit(assetId, { title: 'a' }, headers)).status).toBe(404)
  expect(await countRenders(cloud)).toBe(1)
})

test('what fails is not kept: the same key works once the request is right', async () => {
  const cloud = await startCloud({}, {}, { max_open_renders: 1 })
  const assetId = await cloud.asset()
  expect((await cloud.submit('asset_none', {}, keyed('k'))).status).toBe(404)
  expect((await cloud.submit(assetId, { composition: 'none.html' }, keyed('k'))).status).toBe(400)
  const done = await cloud.submit(assetId, {}, keyed('k'))
  expect(done.status).toBe(202)
  expect((await cloud.submit(assetId, {}, keyed('other'))).status).toBe(429)
  expect((await cloud.submit(assetId, {}, keyed('k'))).json).toEqual(done.json)
  expect(
    await cloud.database.rows('SELECT key FROM vid.idempotency WHERE account_id = $1', [cloud.account.id]),
  ).toEqual([{ key: 'k' }])
})

test('the key of a process that died is taken over once its lock has run out, and that of one that lives is not', async () => {
  const cloud = await startCloud()
  const assetId = await cloud.asset()
  const hold = (key: string, seconds: number) =>
    cloud.database.run(
      `INSERT INTO vid.idempotency (account_id, route, key, body_hash, lock_id, locked_until)
       VALUES ($1, 'POST /v3/vid/renders', $2, 'another body', 'dead', now() + $3 * interval '1 second')`,
      [cloud.account.id, key, seconds],
    )
  await hold('dead', -1)
  await hold('alive', 60)
  expect((await cloud.submit(assetId, {}, keyed('dead'))).status).toBe(202)
  expect((await cloud.submit(assetId, {}, keyed('alive'))).json.error.code).toBe('idempotency_conflict')
})

test('a request whose key was taken over meanwhile writes nothing', async () => {
  const cloud = await startCloud(
    {},
    {
      queue: {
        enqueue: async (sql) => {
          await sql.run(`UPDATE vid.idempotency SET lock_id = 'another' WHERE key = 'slow'`)
        },
      },
    },
  )
  const answer = await cloud.submit(await cloud.asset(), {}, keyed('slow'))
  expect([answer.status, answer.json.error.code]).toEqual([409, 'request_in_progress'])
  expect(await countRenders(cloud)).toBe(0)
})

test('a long request renews its lock, so that nobody takes it over', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const cloud = await startCloud()
  const locks: number[] = []
  const request = { accountId: cloud.account.id, route: 'r', key: 'k', bodyHash: 'h' }
  const work = doOnce(cloud.database, request, 6000, async (settle) => {
    await released
    await settle(cloud.database, { status: 200, body: {} })
    return { status: 200, body: {} }
  })
  const lockedUntil = async () => {
    const [row] = await cloud.database.rows<{ locked_until: Date }>(
      `SELECT locked_until FROM vid.idempotency WHERE account_id = $1 AND key = 'k'`,
      [cloud.account.id],
    )
    if (row) locks.push(row.locked_until.getTime())
    return new Set(locks).size
  }
  await expect.poll(lockedUntil, patient).toBeGreaterThan(1)
  await expect(doOnce(cloud.database, request, 6000, async () => ({ status: 0, body: 0 }))).rejects.toMatchObject({
    code: 'VID_CLOUD_KEY_IN_USE',
  })
  release()
  await expect(work).resolves.toMatchObject({ status: 200, isReplay: false })
})

test('a repeated upload gets the first asset with a fresh address; another zip is a conflict', async () => {
  const { upload } = await startCloud()
  const zip = await zipOf({ 'index.html': page() })
  const first = await upload(zip, keyed('u'))
  const again = await upload(zip, keyed('u'))
  expect(again.json.data.asset_id).toBe(first.json.data.asset_id)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const other = await upload(await zipOf({ 'index.html': page('other') }), keyed('u'))
  expect([other.status, other.json.error.code]).toEqual([409, 'idempotency_conflict'])
})

test('replies are kept for a day', async () => {
  const cloud = await startCloud()
  const assetId = await cloud.asset()
  const first = await cloud.submit(assetId, {}, keyed('k'))
  await cloud.database.run(
    `UPDATE vid.idempotency SET created_at = now() - interval '25 hours' WHERE account_id = $1`,
    [cloud.account.id],
  )
  const second = await cloud.submit(assetId, {}, keyed('k'))
  expect(second.json.data.render_id).not.toBe(first.json.data.render_id)
  await cloud.database.run(`UPDATE vid.idempotency SET created_at = now() - interval '25 hours'`)
  await removeOldReplies(cloud.database)
  const query = 'SELECT 1 FROM vid.idempotency WHERE account_id = $1'
  expect(await cloud.database.rows(query, [cloud.account.id])).toEqual([])
})

test.each(['', 'with space', 'x'.repeat(256), 'ä'])('the key "%s" is refused', async (key) => {
  const { post } = await startCloud()
  const { status, json } = await post('/v3/vid/renders', {}, { 'idempotency-key': encodeURI(key) })
  expect([status, json.error.code]).toEqual([400, 'invalid_parameter'])
})
