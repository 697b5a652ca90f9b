import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { listKeys } from '../accounts/api-keys.ts'
import { newFolder } from '../fixtures/database.ts'
import { openLarge } from '../fixtures/large-database.ts'
import { readPage } from '../renders/records.ts'
import { openFolderStorage } from '../storage/folder-storage.ts'
import { createSignedFiles } from '../storage/signed-files.ts'
import { removeDeleted } from '../sweep/deleted-renders.ts'
import { requeueLost } from '../sweep/lost-renders.ts'
import { listDeliveries, removeOldDeliveries } from '../webhooks/deliveries.ts'
import { addWorkMetrics } from '../worker/metrics.ts'

/** As many deliveries as renders that have ended, most of which were deleted and purged a while ago. */
const MORE = `
  INSERT INTO vid.webhook_deliveries (id, account_id, render_id, event_type, url, status, ended_at)
    SELECT 'hook_' || id, account_id, id, 'vid_render.completed', 'https://here.example/', 'delivered', now()
    FROM vid.renders WHERE status = 'completed';
  UPDATE vid.renders SET deleted_at = now() - interval '2 days', purged_at = now() - interval '1 day'
    WHERE status = 'completed';`

test('the search for renders without a job looks at a part of those that are open, and goes on after it', async () => {
  const { database, queue, heavy, reads } = await openLarge()
  const [lost] = await database.rows<{ id: string }>(
    `SELECT id FROM vid.renders WHERE status = 'queued' ORDER BY sequence OFFSET 1500 LIMIT 1`,
  )
  await database.run(`DELETE FROM vid_queue.job WHERE data ->> 'renderId' = $1`, [lost?.id])
  reads.length = 0
  expect(await requeueLost({ database, queue })).toEqual([])
  expect(reads.length).toBeGreaterThan(1)
  expect(heavy()).toEqual([])
  expect(await requeueLost({ database, queue })).toEqual([lost?.id])
  for (let sweeps = 2; sweeps < 25; sweeps += 1) expect(await requeueLost({ database, queue })).toEqual([])
})

test('totals over whole tables are counted once for all processes', async () => {
  const { database, queue, heavy, reads } = await openLarge()
  const registries = [new Registry(), new Registry()] as const
  for (const registry of registries) await addWorkMetrics(registry, { database, queue })
  const [first, second] = registries
  expect(await first.metrics()).toContain('vid_renders{status="completed"} 20000')
  expect(heavy().length).toBeGreaterThan(0)
  reads.length = 0
  for (const registry of [first, second])
    expect(await registry.metrics()).toContain('vid_renders{status="completed"} 20000')
  expect(heavy()).toEqual([])
})

test('the keys of an account are found by an index', async () => {
  const keys = `INSERT INTO vid.api_keys (id, account_id, shown, hash)
    SELECT 'key_' || n, 'user_' || (1 + n % 200), 'vid', sha256(n::text::bytea) FROM generate_series(1, 20000) AS n;`
  const { database, heavy } = await openLarge(keys)
  expect(await listKeys(database, 'user_7')).toHaveLength(100)
  expect(heavy()).toEqual([])
})

test('a page of a list, and the removal of what is old, read no whole table', async () => {
  const { database, queue, heavy, reads } = await openLarge(MORE)
  const storage = await openFolderStorage(
    await newFolder(),
    createSignedFiles('secret', () => 'http://here'),
  )
  const addresses = { storage, streams: { addressOf: () => 'http://here' }, ttlMs: 1000 }
  const page = await readPage(database, 'user_2', { limit: 10, token: undefined }, addresses)
  expect(page.data).toHaveLength(10)
  for (const account of [undefined, 'user_2'])
    for (const failed of [true, false])
      expect(await listDeliveries(database, { account, failed, limit: 10 })).toHaveLength(failed ? 0 : 10)
  await removeOldDeliveries(database)
  expect(await removeDeleted({ database, storage }, { purgeAfterMs: 0, forgetAfterMs: 7 * 86_400_000 })).toBe(0)
  const registry = new Registry()
  await addWorkMetrics(registry, { database, queue })
  expect(await registry.getSingleMetricAsString('vid_queue_oldest_seconds')).toMatch(/vid_queue_oldest_seconds 36\d\d/)
  expect(reads.length).toBeGreaterThan(10)
  expect(heavy()).toEqual([])
})
