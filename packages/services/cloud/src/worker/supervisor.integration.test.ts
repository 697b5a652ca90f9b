import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { openWork, until } from '../fixtures/work.ts'
import type { JobData } from '../queue/jobs.ts'
import { register } from './lease.ts'
import { addWorkMetrics } from './metrics.ts'
import { endFailedRenders, startSupervisor } from './supervisor.ts'
import { takeJobs } from './take-jobs.ts'

test('the jobs of an earlier process are given back as soon as the embedded server starts again', async () => {
  const { parts, submit } = await openWork()
  await submit()
  const workerId = await register(parts, { slots: 1, version: '0' })
  expect(await takeJobs(parts, workerId, 1)).toHaveLength(1)
  await parts.database.run(`UPDATE vid.workers SET started_at = now() - interval '1 hour'`)
  const ownId = await register(parts, { slots: 1, version: '0' })
  const supervisor = await startSupervisor(parts)
  await supervisor.close()
  expect(await parts.queue.depth()).toEqual({ waiting: 1, active: 0 })
  expect(await parts.database.rows('SELECT id FROM vid.workers')).toEqual([{ id: ownId }])
})

test('no lease expires before the database could be reached for as long as a lease lasts', async () => {
  const { parts } = await openWork()
  await register(parts, { slots: 1, version: '0' })
  const postgres = { ...parts, database: { ...parts.database, kind: 'postgres' as const } }
  let looks = 0
  const queue = {
    ...parts.queue,
    takeDead: async () => {
      looks += 1
      return []
    },
  }
  const supervisor = await startSupervisor({ ...postgres, queue }, { lostAfterMs: 60_000 })
  await parts.database.run(`UPDATE vid.workers SET last_seen = now() - interval '1 hour'`)
  await until(async () => (looks > 0 ? true : undefined))
  await supervisor.close()
  expect(await parts.database.rows('SELECT id FROM vid.workers')).toHaveLength(1)
})

test('a segment that no worker of its build can render has the render planned anew, a few times at most', async () => {
  const { parts, submit, row } = await openWork()
  const { database, queue } = parts
  const id = await submit()
  await database.run(
    `UPDATE vid.renders SET status = 'rendering', plan_key = 'renders/x/plan.json', segments = 2 WHERE id = $1`,
    [id],
  )
  const failing = async (attempt: number) => {
    const data: JobData = { kind: 'segment', renderId: id, attempt, number: 0 }
    const other = { ...data, number: 1 }
    await database.run(`DELETE FROM ${queue.schema}.job`)
    for (const jobData of [data, other])
      await database.run(
        `INSERT INTO ${queue.schema}.job (name, data, output, start_after)
         VALUES ('renders-dead', $1, $2, now() - interval '1 second')`,
        [JSON.stringify(jobData), JSON.stringify({ code: 'VID_PLAN_BUILD', message: 'another browser' })],
      )
    await endFailedRenders(parts)
  }
  await failing(0)
  expect(await row(id)).toMatchObject({ status: 'rendering', attempt: 1, plan_key: null, segments: 0 })
  expect(await queue.depth()).toEqual({ waiting: 1, active: 0 })
  for (const attempt of [1, 2, 3, 4]) await failing(attempt)
  expect(await row(id)).toMatchObject({ status: 'rendering', attempt: 5 })
  await failing(5)
  expect(await row(id)).toMatchObject({ status: 'failed', failure_code: 'VID_CLOUD_GAVE_UP' })
})

test('operators see what waits, what ended, and the workers', async () => {
  const { parts, submit } = await openWork()
  await submit()
  await submit()
  await register(parts, { slots: 3, version: '0' })
  const workerId = await register(parts, { slots: 2, version: '0' })
  await takeJobs(parts, workerId, 1)
  const registry = new Registry()
  await addWorkMetrics(registry, { ...parts, totalsSeconds: 0 })
  const text = await registry.metrics()
  for (const line of [
    'vid_queue_jobs{state="waiting"} 1',
    'vid_queue_jobs{state="active"} 1',
    'vid_workers 2',
    'vid_renders{status="queued"} 1',
    'vid_renders{status="rendering"} 1',
    'vid_worker_slots 5',
  ])
    expect(text).toContain(line)
})
