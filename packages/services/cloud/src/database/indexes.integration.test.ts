import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { longTest } from '../../../../../scripts/dev/part-of.ts'
import { listKeys } from '../accounts/api-keys.ts'
import { countLeftovers } from '../doctor/leftovers.ts'
import { newFolder } from '../fixtures/database.ts'
import { openLarge } from '../fixtures/large-database.ts'
import { readPage } from '../renders/records.ts'
import { readUsage } from '../renders/usage.ts'
import { openFolderStorage } from '../storage/folder-storage.ts'
import { createSignedFiles } from '../storage/signed-files.ts'
import { removeDeleted, removeOldRows } from '../sweep/deleted-renders.ts'
import { endResults, sumUsage, tidyEnded } from '../sweep/ended-renders.ts'
import { requeueLost } from '../sweep/lost-renders.ts'
import { sweepDefaults } from '../sweep/settings.ts'
import { removeUnusedAssets } from '../sweep/uploads.ts'
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

longTest('totals over whole tables are counted once for all processes', async () => {
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

longTest('a sweep, the doctor and the usage of an account read no whole table', async () => {
  const more = `
    INSERT INTO vid.assets (id, account_id, digest, storage_key, size_bytes, unpacked_bytes, files, last_used_at)
      SELECT 'asset_' || n, 'user_' || (1 + n % 200), n, 'assets/' || n || '.zip', 5, 5, 1,
        now() - make_interval(days => CASE WHEN n <= 10 THEN 60 ELSE 0 END)
      FROM generate_series(1, 20000) AS n;
    INSERT INTO vid.usage (render_id, account_id, rendered_seconds, billed_seconds)
      SELECT id, account_id, 1, 1 FROM vid.renders WHERE status = 'completed';
    INSERT INTO vid.render_segments (render_id, attempt, number, frames)
      SELECT id, 1, 0, 9 FROM vid.renders WHERE status = 'queued';
    UPDATE vid.renders SET tidied_at = now() WHERE status = 'completed' AND sequence > 20;`
  const { database, queue, heavy, reads } = await openLarge(more)
  const log = { info() {}, warn() {}, error() {} }
  const storage = await openFolderStorage(
    await newFolder(),
    createSignedFiles('secret', () => 'http://here'),
  )
  const parts = { database, queue, storage, log }
  await tidyEnded(database, { orphanAfterMs: 0 })
  await endResults(database, { resultTtlMs: 86_400_000 })
  await removeOldRows(database, sweepDefaults)
  expect(await removeUnusedAssets(parts, sweepDefaults)).toBe(10)
  expect(await sumUsage(database, 3_600_000)).toBe(0)
  expect(await readUsage(database, 'user_7')).toMatchObject({ renderedSeconds: 100 })
  await countLeftovers(parts)
  expect(reads.length).toBeGreaterThan(20)
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
