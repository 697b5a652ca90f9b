import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addAccount, makeFolder, openWork, until } from '../fixtures/work.ts'
import { publish, unpublish } from '../publish/publications.ts'
import { addStream } from '../streams/stream-records.ts'
import { register } from '../worker/lease.ts'
import { takeJobs } from '../worker/take-jobs.ts'
import { claimSweep, startSweeper, sweep } from './sweep.ts'

const NOTHING = { results: 0, renders: 0, uploads: 0, assets: 0, orphans: 0, segments: 0, requeued: 0 }
const AT_ONCE = { purgeAfterMs: 0, orphanAfterMs: -1000 }

/** Lets the next sweep be the first one: the tests here share a database. */
const forgetSweeps = ({ database }: Awaited<ReturnType<typeof openWork>>['parts']) =>
  database.run(`DELETE FROM vid.settings WHERE key IN ('swept_at', 'listed_at')`)

/** A server whose storage can be filled. */
const openFilled = async () => {
  const server = await openWork()
  const file = join(await makeFolder(), 'file')
  await writeFile(file, '12345')
  const put = async (...keys: readonly string[]) => {
    for (const key of keys) await server.parts.storage.put(key, file)
  }
  return { ...server, put }
}

test('the files of a deleted render go once the time is over, then its row; others stay', async () => {
  const { parts, submit, row, put, keys } = await openFilled()
  const keptId = await submit()
  const deletedId = await submit()
  for (const id of [keptId, deletedId]) {
    await put(`results/${id}/video.mp4`, `results/${id}/thumbnail.jpg`, `streams/${id}/1/180p-00000.m4s`)
    await addStream(parts.database, { renderId: id, attempt: 1 })
    await parts.database.run(
      `UPDATE vid.renders SET status = 'completed', completed_at = now(), video_key = $2, thumbnail_key = $3,
         attempt = 1, stream_attempt = 1
       WHERE id = $1`,
      [id, `results/${id}/video.mp4`, `results/${id}/thumbnail.jpg`],
    )
  }
  await parts.database.run('UPDATE vid.renders SET deleted_at = now() WHERE id = $1', [deletedId])
  expect(await sweep(parts, { orphanAfterMs: -1000 })).toEqual(NOTHING)
  expect(await keys('results/')).toHaveLength(4)
  expect(await sweep(parts, AT_ONCE)).toEqual({ ...NOTHING, renders: 1 })
  expect(await keys('results/')).toEqual([`results/${keptId}/thumbnail.jpg`, `results/${keptId}/video.mp4`])
  expect(await keys('streams/')).toEqual([`streams/${keptId}/1/180p-00000.m4s`])
  expect(await row(deletedId)).toMatchObject({ video_key: null, thumbnail_key: null, stream_attempt: null })
  await sweep(parts, { forgetAfterMs: 0 })
  await expect(row(deletedId)).rejects.toThrow('there is no render')
  expect(await row(keptId)).toMatchObject({ status: 'completed' })
})

test('a deleted render that is still worked on keeps its files until its worker has dropped it', async () => {
  const { parts, submit, put, keys } = await openFilled()
  const id = await submit()
  const workerId = await register(parts, { slots: 1, version: '0' })
  expect(await takeJobs(parts, workerId, 1)).toHaveLength(1)
  await put(`renders/${id}/1/segment-0`)
  await parts.database.run('UPDATE vid.renders SET deleted_at = now() WHERE id = $1', [id])
  expect(await sweep(parts, { purgeAfterMs: 0 })).toEqual(NOTHING)
  await parts.database.run('DELETE FROM vid.worker_jobs')
  expect(await sweep(parts, { purgeAfterMs: 0 })).toEqual({ ...NOTHING, renders: 1 })
  expect(await keys('renders/')).toEqual([])
})

test('objects that belong to nothing go once they are old, and those that are needed stay', async () => {
  const { parts, submit, put, keys } = await openFilled()
  const { database } = parts
  const open = await submit()
  const ended = await submit()
  const account = await addAccount(database)
  await database.run(
    `UPDATE vid.renders SET status = 'completed', completed_at = now(), video_key = $2 WHERE id = $1`,
    [ended, `results/${ended}/video.mp4`],
  )
  await database.run(
    `INSERT INTO vid.uploads (id, account_id, size_bytes, sha256, part_bytes, expires_at)
     VALUES ('upload_1', $1, 5, '', 5, now() + interval '1 hour')`,
    [account],
  )
  await database.run(
    `INSERT INTO vid.assets (id, account_id, digest, storage_key, size_bytes, unpacked_bytes, files)
     VALUES ('asset_1', $1, '', 'assets/a/1.zip', 5, 5, 1)`,
    [account],
  )
  await addStream(database, { renderId: ended, attempt: 0 })
  const needed = [
    `streams/${ended}/0/180p-00000.m4s`,
    'assets/a/1.zip',
    `renders/${open}/plan-x.json`,
    `renders/${open}/1/segment-0`,
    `results/${ended}/video.mp4`,
    `results/${open}/video.mp4`,
    'uploads/upload_1/0',
  ]
  const orphans = [
    `streams/${ended}/1/180p-00000.m4s`,
    'streams/render_none/0/180p-00000.m4s',
    'assets/a/2.zip',
    `renders/${ended}/plan-x.json`,
    `results/${ended}/video.webm`,
    'renders/render_none/1/segment-0',
    'results/render_none/video.mp4',
    'uploads/upload_2/0',
  ]
  await put(...needed, ...orphans)
  expect(await sweep(parts, {})).toEqual(NOTHING)
  expect(await sweep(parts, AT_ONCE)).toEqual({ ...NOTHING, orphans: orphans.length })
  expect(await keys('')).toEqual(needed.toSorted())
})

test('uploads that expired and assets that nobody uses go, not those that an open render needs or a page plays', async () => {
  const { parts, submit, put, keys } = await openFilled()
  const { database } = parts
  const account = await addAccount(database)
  const render = await submit({}, account)
  await database.run('UPDATE vid.renders SET project_key = $2 WHERE id = $1', [render, 'assets/a/1.zip'])
  const renderId = await submit({}, account)
  await database.run(`UPDATE vid.renders SET project_key = $2, status = 'completed' WHERE id = $1`, [
    renderId,
    'assets/a/4.zip',
  ])
  const { publication_id: page } = await publish(database, account, { render_id: renderId, public: false }, '')
  const unplayed = await submit({}, account)
  await database.run(`UPDATE vid.renders SET project_key = $2, status = 'completed' WHERE id = $1`, [
    unplayed,
    'assets/a/5.zip',
  ])
  await publish(database, account, { render_id: unplayed, public: false, play: false }, '')
  for (const number of [1, 2, 3, 4, 5])
    await database.run(
      `INSERT INTO vid.assets (id, account_id, digest, storage_key, size_bytes, unpacked_bytes, files, last_used_at)
       VALUES ($1, $2, $1, $3, 5, 5, 1, now() - make_interval(days => $4))`,
      [`asset_${number}`, account, `assets/a/${number}.zip`, number === 3 ? 1 : 60],
    )
  await database.run(
    `INSERT INTO vid.uploads (id, account_id, size_bytes, sha256, part_bytes, expires_at)
     VALUES ('upload_1', $1, 5, '', 5, now())`,
    [account],
  )
  await database.run(`INSERT INTO vid.upload_parts VALUES ('upload_1', 0, 'uploads/upload_1/0')`)
  await put('uploads/upload_1/0', 'assets/a/1.zip', 'assets/a/2.zip', 'assets/a/3.zip')
  await put('assets/a/4.zip', 'assets/a/5.zip')
  expect(await sweep(parts)).toEqual({ ...NOTHING, uploads: 1, assets: 2 })
  expect(await keys('')).toEqual(['assets/a/1.zip', 'assets/a/3.zip', 'assets/a/4.zip'])
  await unpublish(database, account, page)
  expect(await sweep(parts)).toEqual({ ...NOTHING, assets: 1 })
  expect(await database.rows('SELECT 1 FROM vid.upload_parts')).toEqual([])
})

test('of the finished segments, those that were used longest ago go first', async () => {
  const { parts, put, keys } = await openFilled()
  await put('segments/a/1', 'segments/b/2', 'segments/a/3')
  await parts.storage.below('segments/', { signal: new AbortController().signal }).touch(['a/1'])
  expect(await sweep(parts, { segmentBytes: 10 })).toEqual({ ...NOTHING, segments: 1 })
  expect(await keys('segments/')).toEqual(['segments/a/1', 'segments/a/3'])
  expect(await sweep(parts, { segmentBytes: 10 })).toEqual(NOTHING)
})

test('an accepted render that has lost its job gets another one', async () => {
  const { parts, submit, work, end } = await openWork()
  const id = await submit()
  await parts.database.run(`DELETE FROM ${parts.queue.schema}.job`)
  const quiet = { ...parts, log: { ...parts.log, error: () => {} } }
  expect(await sweep(quiet)).toEqual(NOTHING)
  await parts.database.run(`UPDATE vid.renders SET created_at = now() - interval '1 hour'`)
  expect(await sweep(quiet)).toEqual({ ...NOTHING, requeued: 1 })
  expect(await sweep(quiet)).toEqual(NOTHING)
  await work()
  expect(await end(id)).toMatchObject({ status: 'completed' })
})

test('of all processes one sweeps, and again once the time is over', async () => {
  const { parts, put, keys } = await openFilled()
  await forgetSweeps(parts)
  const claims = () => Promise.all([1, 2, 3].map(() => claimSweep(parts, 60_000)))
  expect((await claims()).filter(Boolean)).toHaveLength(1)
  expect(await claims()).toEqual([false, false, false])
  await forgetSweeps(parts)
  await put('renders/render_none/1/segment-0')
  const sweeper = startSweeper(parts, { everyMs: 100, orphanAfterMs: -1000 })
  await until(async () => ((await keys('renders/')).length === 0 ? true : undefined))
  await sweeper.close()
})

test('between two listings of the storage, a sweep reads only rows', async () => {
  const { parts, put, keys, submit } = await openFilled()
  const listed: string[] = []
  const { storage } = parts
  const watched = {
    ...storage,
    list: (prefix: string) => {
      listed.push(prefix)
      return storage.list(prefix)
    },
  }
  await forgetSweeps(parts)
  expect(await claimSweep(parts, 60_000, 'listed_at')).toBe(true)
  await put('renders/render_none/1/segment-0')
  const id = await submit()
  await parts.database.run('UPDATE vid.renders SET deleted_at = now() WHERE id = $1', [id])
  await parts.database.run(`UPDATE vid.renders SET status = 'failed', completed_at = now() WHERE id = $1`, [id])
  await put(`results/${id}/video.mp4`)
  const sweeper = startSweeper({ ...parts, storage: watched }, { everyMs: 100, purgeAfterMs: 0, orphanAfterMs: -1000 })
  await until(async () => ((await keys('results/')).length === 0 ? true : undefined))
  await sweeper.close()
  expect(listed.filter((prefix) => /^(renders|results|streams|uploads|assets|segments)\/$/.test(prefix))).toEqual([])
  expect(await keys('renders/')).toHaveLength(1)
})
