import { expect, test } from 'vitest'
import { addAccount, openWork } from '../fixtures/work.ts'
import { register } from '../worker/lease.ts'
import { takeJobs } from '../worker/take-jobs.ts'
import { checkEncodable } from './codecs.ts'
import { estimatedCost, releaseJobs } from './fairness.ts'
import { jobToYield } from './job-to-yield.ts'
import type { JobData } from './jobs.ts'
import { restartRender } from './restart.ts'
import { cancelWaiting } from './waiting.ts'

type Work = Awaited<ReturnType<typeof openWork>>

/** A server with one worker of so many slots, on which time passes when the test says so. */
const openSlots = async (slots: number) => {
  const work = await openWork()
  const { parts, submit }: Work = work
  const { database } = parts
  const workerId = await register(parts, { slots, version: '0' })
  const account = (weight?: number) => addAccount(database, weight)
  /** Takes the next job, and names its account. */
  const take = async () => {
    const [job] = (await takeJobs(parts, workerId, 1)) ?? []
    return job && { account: job.render.account_id, jobId: job.job.id, renderId: job.render.id }
  }
  const takeAll = async (count: number) => {
    const jobs = []
    for (let remaining = count; remaining > 0; remaining -= 1) jobs.push(await take())
    return jobs
  }
  const pass = (seconds: number) =>
    database.run('UPDATE vid.worker_jobs SET taken_at = taken_at - make_interval(secs => $1)', [seconds])
  const end = async (jobId: string) => {
    await parts.queue.complete(database, jobId)
    await releaseJobs(database, [jobId])
  }
  const giveBack = async (jobId: string) => {
    await parts.queue.giveBack(database, [jobId])
    await releaseJobs(database, [jobId])
  }
  const toYield = () => jobToYield(database, workerId)
  const submitAll = (count: number, to: string) => Promise.all(Array.from({ length: count }, () => submit({}, to)))
  return { ...work, database, account, submitAll, take, takeAll, pass, end, giveBack, toYield }
}

test('accounts are charged for the time that their jobs took, not for what these declare', async () => {
  const { account, submitAll, take, pass, end } = await openSlots(1)
  const slow = await account()
  const quick = await account()
  await submitAll(10, slow)
  await submitAll(10, quick)
  const order: string[] = []
  for (let turn = 0; turn < 12; turn += 1) {
    const job = await take()
    if (!job) throw new Error('no job')
    order.push(job.account === slow ? 'slow' : 'quick')
    await pass(job.account === slow ? 50 : 10)
    await end(job.jobId)
  }
  // Both have had the slot for as long.
  expect(order.filter((name) => name === 'slow')).toHaveLength(2)
})

test('an account of more weight has the slot for longer', async () => {
  const { account, submitAll, take, pass, end } = await openSlots(1)
  const light = await account()
  const heavy = await account(3)
  await submitAll(8, light)
  await submitAll(8, heavy)
  let count = 0
  for (let turn = 0; turn < 8; turn += 1) {
    const job = await take()
    if (!job) throw new Error('no job')
    if (job.account === heavy) count += 1
    await pass(10)
    await end(job.jobId)
  }
  expect(count).toBe(6)
})

test('a job counts as long as it runs, and one that comes late has no time saved up', async () => {
  const { database, account, submitAll, take, takeAll, pass, end } = await openSlots(4)
  const early = await account()
  const late = await account()
  await submitAll(3, early)
  const [first] = await takeAll(1)
  await pass(1000)
  await end(first?.jobId ?? '')
  await submitAll(5, late)
  const used = await database.rows<{ used_seconds: number }>(
    'SELECT used_seconds FROM vid.accounts WHERE id = ANY($1::text[])',
    [[early, late]],
  )
  for (const { used_seconds: seconds } of used) expect(seconds).toBeCloseTo(1000, -1)
  const names = (await takeAll(4)).map((job) => job?.account)
  expect(names.filter((name) => name === late)).toHaveLength(2)
  expect((await take())?.account).toBe(late)
})

test('one account may have all slots, and gives those beyond its share back once another one waits', async () => {
  const { account, submitAll, take, takeAll, pass, giveBack, toYield } = await openSlots(4)
  const greedy = await account()
  const other = await account()
  await submitAll(6, greedy)
  expect((await takeAll(4)).map((job) => job?.account)).toEqual(Array(4).fill(greedy))
  await pass(3600)
  expect(await toYield()).toBeUndefined()
  await submitAll(6, other)
  const owners = []
  for (let job = await toYield(); job !== undefined; job = await toYield()) {
    await giveBack(job)
    owners.push((await take())?.account)
  }
  // Each has two then, and neither yields any more.
  expect(owners).toEqual([other, other])
  await pass(3600)
  expect(await toYield()).toBeUndefined()
})

test('a slot is not taken back within its time slice, and while another one is free', async () => {
  const { account, submitAll, takeAll, pass, toYield } = await openSlots(2)
  const greedy = await account()
  const other = await account()
  await submitAll(1, greedy)
  await takeAll(1)
  await submitAll(1, other)
  await pass(3600)
  expect(await toYield()).toBeUndefined()
  await submitAll(1, greedy)
  const [job] = await takeAll(1)
  expect(job?.account).toBe(other)
})

test('with fewer slots than accounts they take turns, in slices that grow until a render is done', async () => {
  const { database, account, submitAll, take, pass, giveBack, toYield } = await openSlots(1)
  const one = await account()
  const two = await account()
  const [id] = await submitAll(1, one)
  const job = await take()
  await submitAll(1, two)
  await pass(50)
  expect(await toYield()).toBeUndefined()
  await pass(20)
  expect(await toYield()).toBe(job?.jobId)
  await database.run('UPDATE vid.renders SET yields = 3 WHERE id = $1', [id])
  expect(await toYield()).toBeUndefined()
  await pass(500)
  await giveBack((await toYield()) ?? '')
  expect((await take())?.account).toBe(two)
})

test('a render is charged for all its jobs, and a worker that is gone for no longer than it was seen', async () => {
  const { database, account, submitAll, takeAll, pass, giveBack, take } = await openSlots(1)
  const [id] = await submitAll(1, await account())
  const [job] = await takeAll(1)
  await pass(40)
  await giveBack(job?.jobId ?? '')
  await take()
  await pass(5000)
  await database.run(`UPDATE vid.workers SET last_seen = now() - interval '4990 seconds'`)
  await releaseJobs(database, [job?.jobId ?? ''])
  const [row] = await database.rows<{ machine_seconds: number }>(
    'SELECT machine_seconds FROM vid.renders WHERE id = $1',
    [id],
  )
  expect(row?.machine_seconds).toBeGreaterThan(50)
  expect(row?.machine_seconds).toBeLessThan(60)
})

test('the segments of a render come before the next render of its account, in their order', async () => {
  const { parts, submitAll, account, take } = await openSlots(8)
  const one = await account()
  const [first] = await submitAll(1, one)
  await take()
  const next = await submitAll(1, one)
  await parts.queue.enqueueParts(
    parts.database,
    [1, 0].map((number) => ({ kind: 'segment', renderId: first ?? '', attempt: 1, number, cost: 4 })),
  )
  const jobs = [
    await parts.queue.take(parts.database),
    await parts.queue.take(parts.database),
    await parts.queue.take(parts.database),
  ]
  expect(jobs.map((job) => (job?.data.kind === 'segment' ? job.data.number : job?.data.renderId))).toEqual([
    0,
    1,
    ...next,
  ])
  expect(estimatedCost(10, 3840 * 2160)).toBe(40)
})

test('a job and the rows of its transaction are kept together or not at all', async () => {
  const { parts, submit } = await openWork()
  const { database, queue } = parts
  await submit()
  const failing = database.transaction(async (sql) => {
    const job = await queue.take(sql)
    if (job) await queue.complete(sql, job.id)
    await queue.enqueueParts(sql, [{ kind: 'render', renderId: 'x' }])
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await queue.depth()).toEqual({ waiting: 1, active: 0 })
})

test('of a render that is cancelled nothing waits any more', async () => {
  const { parts, submit } = await openWork()
  const [cancelledId] = [await submit(), await submit()]
  await cancelWaiting(parts.database, cancelledId as string)
  expect(await parts.queue.depth()).toEqual({ waiting: 1, active: 0 })
  const nextJob = await parts.queue.take(parts.database)
  expect(nextJob?.data.renderId).not.toBe(cancelledId)
})

test('of a render that is planned again, no earlier part waits any more', async () => {
  const { parts, database, submit, row } = await openSlots(1)
  const { queue } = parts
  const id = await submit()
  await database.run(`DELETE FROM ${queue.schema}.job`)
  await database.run(`UPDATE vid.renders SET status = 'rendering', plan_key = 'plan', segments = 3 WHERE id = $1`, [id])
  const part = (number: number): JobData => ({ kind: 'segment', renderId: id, attempt: 0, number })
  await queue.enqueueParts(database, [part(0), part(1), part(2)])
  const failure = { code: 'VID_PLAN_BUILD', message: 'another browser' }
  await database.transaction((sql) => restartRender(sql, { queue, onEnded: parts.onEnded }, part(0), failure))
  expect(await row(id)).toMatchObject({ attempt: 1, segments: 0 })
  const waiting = await database.rows<{ data: JobData }>(`SELECT data FROM ${queue.schema}.job WHERE name = 'renders'`)
  expect(waiting.map(({ data }) => data.kind)).toEqual(['render'])
})

test('the time of a job begins when it is assigned, not when its worker began to wait for one', async () => {
  const { parts, database, submit } = await openSlots(1)
  await submit()
  const [worker] = await database.rows<{ id: string }>('SELECT id FROM vid.workers')
  const [clock] = await database.transaction(async (sql) => {
    const pass = await sql.rows<{ began: Date }>('SELECT now() AS began, pg_sleep(0.2)::text')
    await takeJobs({ ...parts, database: { ...database, transaction: (work) => work(sql) } }, worker?.id ?? '', 1)
    return pass
  })
  const [job] = await database.rows<{ taken_at: Date }>('SELECT taken_at FROM vid.worker_jobs')
  expect(Number(job?.taken_at) - Number(clock?.began)).toBeGreaterThanOrEqual(200)
})

test('an account waits as long as it has a job that is due, also after a pause', async () => {
  const { database, parts, submitAll, account, take } = await openSlots(3)
  const one = await account()
  const waiting = async () =>
    (await database.rows<{ id: string }>('SELECT account_id AS id FROM vid.waiting_accounts')).map(({ id }) => id)
  const dueAfter = (pause: string) =>
    database.run(`UPDATE ${parts.queue.schema}.job SET start_after = now() + $1::interval WHERE state = 'retry'`, [
      pause,
    ])
  const [id] = await submitAll(1, one)
  expect(await waiting()).toEqual([one])
  const job = await take()
  expect(await waiting()).toEqual([])
  await parts.queue.fail(database, [job?.jobId ?? ''], {})
  await dueAfter('1 hour')
  expect(await take()).toBeUndefined()
  expect(await waiting()).toEqual([])
  await dueAfter('-1 hour')
  expect((await take())?.renderId).toBe(id)
})

test('a worker takes no video that only another one can encode, and takes it if none can', async () => {
  const { parts, submit } = await openWork()
  const { database } = parts
  const old = await register(parts, { slots: 1, version: '0', codecs: ['h264', 'hevc'] })
  const newer = await register(parts, { slots: 1, version: '0', codecs: ['h264', 'hevc', 'av1'] })
  const first = await submit({ codec: 'av1' })
  const second = await submit()
  const takenBy = async (workerId: string) => (await takeJobs(parts, workerId, 1))?.map(({ render }) => render.id)
  expect(await takenBy(old)).toEqual([second])
  expect(await takenBy(old)).toEqual([])
  expect(await takenBy(newer)).toEqual([first])
  const third = await submit({ codec: 'av1' })
  expect(await takenBy(old)).toEqual([])
  await database.run(`UPDATE vid.workers SET last_seen = now() - interval '1 minute' WHERE id = $1`, [newer])
  expect(await takenBy(old)).toEqual([third])
})

test('a codec that no worker encodes is refused, and none while no worker is there to say so', async () => {
  const { parts } = await openWork()
  const { database } = parts
  await checkEncodable(database, 'av1')
  await register(parts, { slots: 1, version: '0', codecs: ['h264', 'hevc'] })
  await checkEncodable(database, undefined)
  await checkEncodable(database, 'hevc')
  const refusal = { code: 'VID_CLOUD_CODEC', fault: 'caller', message: expect.stringContaining('encode h264, hevc.') }
  await expect(checkEncodable(database, 'av1')).rejects.toMatchObject(refusal)
  // A worker of an older version does not say what it encodes.
  await register(parts, { slots: 1, version: '0' })
  await checkEncodable(database, 'av1')
})

test('no job yields to one that its worker cannot encode; that of a worker that can does', async () => {
  const { parts, submit } = await openWork()
  const { database } = parts
  const old = await register(parts, { slots: 3, version: '0', codecs: ['h264'] })
  const newer = await register(parts, { slots: 1, version: '0', codecs: ['h264', 'av1'] })
  const [many, few] = [await addAccount(database), await addAccount(database)]
  for (let count = 0; count < 6; count += 1) await submit({}, many)
  const onNewer = await takeJobs(parts, newer, 1)
  expect(await takeJobs(parts, old, 3)).toHaveLength(3)
  await submit({ codec: 'av1' }, few)
  await database.run(`UPDATE vid.worker_jobs SET taken_at = taken_at - interval '20 seconds'`)
  expect(await jobToYield(database, old)).toBeUndefined()
  expect(await jobToYield(database, newer)).toBe(onNewer?.[0]?.job.id)
})
