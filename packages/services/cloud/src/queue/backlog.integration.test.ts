import { expect, test } from 'vitest'
import { openEmpty, openLarge } from '../fixtures/large-database.ts'
import { register } from '../worker/lease.ts'
import { takeJobs } from '../worker/take-jobs.ts'
import { releaseJobs } from './fairness.ts'
import { jobToYield } from './job-to-yield.ts'
import { cancelWaiting } from './waiting.ts'

/** Rows of one table that a statement may look at: the first of the accounts that wait. */
const MOST_READ = 50

/** So many accounts that reading all of them is never the fastest way, each with a render that waits. */
const MORE_ACCOUNTS = `
  INSERT INTO vid.accounts (id, webhook_secret) SELECT 'more_' || n, 'secret' FROM generate_series(1, 5000) AS n;
  INSERT INTO vid.renders (id, account_id, request, asset_id, project_digest, project_key)
    SELECT 'of_more_' || n, 'more_' || n, '{}', 'asset', 'digest', 'key' FROM generate_series(1, 5000) AS n;
  INSERT INTO vid_queue.job (name, data, start_after)
    SELECT 'renders', jsonb_build_object('kind', 'render', 'renderId', 'of_more_' || n), now() - interval '1 second'
    FROM generate_series(1, 5000) AS n;`

const ONE_RENDER = `
  INSERT INTO vid.accounts (id, webhook_secret) VALUES ('early', 'secret');
  INSERT INTO vid.renders (id, account_id, request, asset_id, project_digest, project_key)
    VALUES ('early_1', 'early', '{}', 'asset', 'digest', 'key');
  INSERT INTO vid_queue.job (name, data, start_after)
    VALUES ('renders', '{"kind": "render", "renderId": "early_1"}', now() - interval '1 second');`

test('taking, ending, yielding and cancelling a job read neither the backlog nor all accounts', async () => {
  const { database, queue, reads } = await openLarge(MORE_ACCOUNTS)
  const workerId = await register({ database }, { slots: 3, version: '0' })
  const takenJobs = (await takeJobs({ database, queue }, workerId, 3)) ?? []
  // Accounts take turns, each with its first render.
  expect(takenJobs.map(({ render }) => render.id)).toEqual(['render_20001', 'render_20002', 'render_20003'])
  await jobToYield(database, workerId)
  const [job] = takenJobs
  await database.transaction(async (sql) => {
    await queue.complete(sql, job?.job.id ?? '')
    await releaseJobs(sql, [job?.job.id ?? ''])
  })
  await cancelWaiting(database, 'render_30000')
  expect(reads.length).toBeGreaterThan(20)
  expect(reads.filter(({ rows }) => rows > MOST_READ)).toEqual([])
})

test('a queue that has filled since its statements were planned is not read as a whole', async () => {
  const { database, queue, reads, fill } = await openEmpty()
  const workerId = await register({ database }, { slots: 3, version: '0' })
  await database.script(ONE_RENDER)
  expect(await takeJobs({ database, queue }, workerId, 1)).toHaveLength(1)
  await fill()
  reads.length = 0
  expect(await takeJobs({ database, queue }, workerId, 3)).toHaveLength(3)
  expect(reads.length).toBeGreaterThan(20)
  expect(reads.filter(({ rows }) => rows > MOST_READ)).toEqual([])
})

test('a queue that has filled faster than its statistics are gathered is not read as a whole', async () => {
  const { database, queue, reads } = await openLarge(MORE_ACCOUNTS)
  await database.run(`DELETE FROM pg_statistic WHERE starelid = 'vid.waiting_jobs'::regclass`)
  await database.run(
    `UPDATE pg_class SET relpages = 0, reltuples = -1, relallvisible = 0 WHERE oid = 'vid.waiting_jobs'::regclass`,
  )
  await database.run(`UPDATE pg_class SET relpages = 1, reltuples = 0 WHERE relname LIKE 'waiting_jobs_%'`)
  reads.length = 0
  const workerId = await register({ database }, { slots: 3, version: '0' })
  expect(await takeJobs({ database, queue }, workerId, 3)).toHaveLength(3)
  expect(reads.filter(({ rows }) => rows > MOST_READ)).toEqual([])
})
