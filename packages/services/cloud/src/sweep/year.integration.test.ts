import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { addAccount, makeFolder, openWork } from '../fixtures/work.ts'
import { openBoss } from '../queue/boss.ts'
import { releaseJobs } from '../queue/fairness.ts'
import { removeOldRecords } from '../remove-old-records.ts'
import { openFolderStorage } from '../storage/folder-storage.ts'
import { createSignedFiles } from '../storage/signed-files.ts'
import { addStream } from '../streams/stream-records.ts'
import { register } from '../worker/lease.ts'
import { resultPrefix } from '../worker/storage-keys.ts'
import { takeJobs } from '../worker/take-jobs.ts'
import { sweep } from './sweep.ts'

const DAY_MS = 86_400_000
const WEEKS = 52
/** Renders that each account submits in a week, and weeks for which their results are kept. */
const RENDERS = 4
const KEPT_WEEKS = 4

/** Moves everything that has a time so many days into the past. */
const pass = async (database: Database, days: number): Promise<void> => {
  const columns = await database.rows<{ name: string; sets: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name,
       string_agg(format('%1$I = %1$I - interval ''${days} days''', column_name), ', ') AS sets
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema IN ('vid', 'vid_queue') AND data_type = 'timestamp with time zone' AND is_generated = 'NEVER'
       AND table_type = 'BASE TABLE' AND table_name NOT IN ('workers', 'job', 'waiting_jobs')
     GROUP BY table_schema, table_name`,
  )
  for (const { name, sets } of columns) await database.run(`UPDATE ${name} SET ${sets}`)
}

const countRows = async (database: Database): Promise<Record<string, number>> => {
  const tables = await database.rows<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('vid', 'vid_queue')`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables)
    counts[name] = (await database.rows<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`))[0]?.rows ?? 0
  return counts
}

test('after a year of steady use, nothing grows but the months of usage', async () => {
  const { parts, submit } = await openWork()
  const { database, queue } = parts
  const folder = await makeFolder()
  const storage = await openFolderStorage(
    folder,
    createSignedFiles('secret', () => 'http://here'),
  )
  const boss = await openBoss(database, { onError: parts.log.error as (error: unknown) => void })
  onTestFinished(() => boss.stop({ graceful: false, close: false }))
  const file = join(await makeFolder(), 'file')
  await writeFile(file, 'bytes')
  const workerId = await register(parts, { slots: 99, version: '0' })
  const accounts = [await addAccount(database), await addAccount(database), await addAccount(database)]

  /** Submits renders and ends them, one in four as failed, as workers and the API do. */
  const use = async (week: number) => {
    for (const account of accounts)
      for (let number = 0; number < RENDERS; number += 1) {
        const id = await submit({}, account)
        await storage.put(`${resultPrefix(id)}video.mp4`, file)
        await addStream(database, { renderId: id, attempt: 1 })
        await database.run(
          'INSERT INTO vid.render_segments (render_id, attempt, number, frames) VALUES ($1, 1, 0, 9)',
          [id],
        )
        await database.run(
          `INSERT INTO vid.idempotency (account_id, route, key, lock_id, locked_until) VALUES ($1, 'r', $2, 'l', now())`,
          [account, id],
        )
        await database.run(
          `INSERT INTO vid.webhook_deliveries (id, account_id, render_id, event_type, url, status, ended_at)
           VALUES ($1, $2, $1, 'vid_render.completed', 'https://here.example/', 'delivered', now())`,
          [id, account],
        )
      }
    for (const { job, render } of (await takeJobs(parts, workerId, 99)) ?? [])
      await database.transaction(async (sql) => {
        await queue.complete(sql, job.id)
        await releaseJobs(sql, [job.id])
        await sql.run(
          `UPDATE vid.renders SET status = CASE WHEN sequence % 4 = 0 THEN 'failed' ELSE 'completed' END,
             attempt = 1, stream_attempt = 1, completed_at = now() WHERE id = $1`,
          [render.id],
        )
        await sql.run('INSERT INTO vid.usage VALUES ($1, $2, now(), 1, 1)', [render.id, render.account_id])
      })
    await database.run(
      `INSERT INTO vid.uploads (id, account_id, size_bytes, sha256, part_bytes, expires_at)
       VALUES ('upload_' || $1::int, $2, 5, '', 5, now() + interval '1 day')`,
      [week, accounts[0]],
    )
    await database.run(
      `INSERT INTO vid.oauth_items (model, id, payload, expires_at) VALUES ('AccessToken', $1::int, '{}', now() + interval '1 hour')`,
      [week],
    )
  }
  const sizes: Record<string, number>[] = []
  for (let week = 0; week < WEEKS; week += 1) {
    await use(week)
    await pass(database, 7)
    await sweep({ ...parts, storage }, { resultTtlMs: KEPT_WEEKS * 7 * DAY_MS, purgeAfterMs: 0 })
    await removeOldRecords(database)
    await boss.maintain()
    const objects = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    sizes.push({ ...(await countRows(database)), objects: objects.length })
  }
  const most = (weeks: readonly Record<string, number>[], name: string) =>
    Math.max(...weeks.map((size) => size[name] ?? 0))
  const growing = Object.keys(sizes[0] ?? {}).filter(
    (name) => most(sizes.slice(WEEKS / 2), name) > most(sizes.slice(0, WEEKS / 2), name),
  )
  expect(growing).toEqual([])
  // What is kept is there, and is what was submitted in those weeks.
  expect(sizes.at(-1)?.objects).toBeLessThanOrEqual(accounts.length * RENDERS * (KEPT_WEEKS + 1))
  expect(sizes.at(-1)?.objects).toBeGreaterThanOrEqual(accounts.length * RENDERS * (KEPT_WEEKS - 1))
  const usage = await database.rows<{ seconds: number }>('SELECT sum(billed_seconds) AS seconds FROM vid.usage_months')
  expect(usage[0]?.seconds).toBe(accounts.length * RENDERS * WEEKS)
})
