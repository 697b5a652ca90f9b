import { expect, test } from 'vitest'
import { openLarge } from '../fixtures/large-database.ts'
import { register } from '../worker/lease.ts'
import { takeJobs } from '../worker/take-jobs.ts'
import { jobToYield, releaseJobs } from './fairness.ts'
import { cancelWaiting } from './waiting.ts'

test('taking, ending, yielding and cancelling a job read no backlog', async () => {
  const { database, queue, reads } = await openLarge()
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
  const ofBacklog = reads.filter(({ table }) => !['accounts', 'waiting_accounts'].includes(table))
  expect(ofBacklog.length).toBeGreaterThan(20)
  expect(ofBacklog.filter(({ rows }) => rows > 10)).toEqual([])
})
