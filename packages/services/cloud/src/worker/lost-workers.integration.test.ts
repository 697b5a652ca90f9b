import { expect, test } from 'vitest'
import { longTest } from '../../../../../scripts/dev/part-of.ts'
import { fail } from '../errors.ts'
import { addAccount, endlessPage, makeFolder, openWork, page, until } from '../fixtures/work.ts'
import { createClientText } from './client-text.ts'
import { finishJob } from './held-job.ts'
import { register } from './lease.ts'
import { workerDefaults } from './parts.ts'
import { runJobSafely } from './run-job.ts'
import { endFailedRenders, recoverLost } from './supervisor.ts'
import { takeJobs } from './take-jobs.ts'

const { signal } = new AbortController()

/** A worker that takes everything and ends, as after `kill -9`. */
const takeAndDie = async ({ parts }: Awaited<ReturnType<typeof openWork>>) => {
  const workerId = await register(parts, { slots: 10, version: '0' })
  const taken = await until(async () => {
    const jobs = await takeJobs(parts, workerId, 10)
    return jobs && jobs.length > 0 ? jobs : undefined
  })
  await parts.database.run(`UPDATE vid.workers SET last_seen = now() - interval '1 minute' WHERE id = $1`, [workerId])
  return { workerId, taken }
}

/** Makes jobs that wait for their next try due now. */
const skipBackOff = ({ parts }: Awaited<ReturnType<typeof openWork>>) =>
  parts.database.run(`UPDATE ${parts.queue.schema}.job SET start_after = now() WHERE state = 'retry'`)

test('the job of a worker that died is done by another one, and the dead one changes nothing any more', async () => {
  const server = await openWork()
  const { parts, submit, work, end } = server
  const id = await submit()
  const { workerId, taken } = await takeAndDie(server)
  expect(taken.map(({ render }) => render.id)).toEqual([id])
  expect(await recoverLost(parts, 20_000)).toBe(1)
  const [job] = taken.map((takenJob) => takenJob.job)
  if (!job) throw new Error('no job')
  let isChanged = false
  const late = finishJob(parts, { job, workerId }, signal, async () => {
    isChanged = true
  })
  await expect(late).rejects.toMatchObject({ code: 'VID_CLOUD_JOB_LOST' })
  await skipBackOff(server)
  await work()
  expect(await end(id)).toMatchObject({ status: 'completed' })
  expect(isChanged).toBe(false)
})

test('a worker that renews its lease keeps it', async () => {
  const server = await openWork()
  await server.submit()
  const workerId = await register(server.parts, { slots: 1, version: '0' })
  expect(await takeJobs(server.parts, workerId, 1)).toHaveLength(1)
  expect(await recoverLost(server.parts, 20_000)).toBe(0)
  expect(await server.parts.queue.depth()).toEqual({ waiting: 0, active: 1 })
})

test('a render whose worker dies each time fails with a reason, and is told of once', async () => {
  const server = await openWork()
  const { parts, submit, row, ended } = server
  const id = await submit()
  for (let tries = 0; tries < 4; tries += 1) {
    await takeAndDie(server)
    await recoverLost(parts, 20_000)
    expect(await row(id)).toMatchObject({ status: 'rendering' })
    await skipBackOff(server)
  }
  expect(await endFailedRenders(parts)).toBe(1)
  expect(await row(id)).toMatchObject({
    status: 'failed',
    failure_code: 'VID_CLOUD_GAVE_UP',
    failure_message: expect.stringContaining('4 times'),
  })
  expect(await endFailedRenders(parts)).toBe(0)
  expect(ended.map((job) => job.id)).toEqual([id])
})

test('a worker whose lease has expired drops its jobs, and goes on as another one', async () => {
  const server = await openWork({ 'index.html': endlessPage })
  const { parts, submit, work, row } = server
  const id = await submit()
  const worker = await work({ slots: 1, spreadSegments: 100_000 })
  await until(async () => ((await row(id)).frames_rendered > 0 ? true : undefined))
  const [before] = await parts.database.rows<{ id: string }>('SELECT id FROM vid.workers')
  await recoverLost(parts, 0)
  await until(async () => (worker.running() === 0 ? true : undefined))
  const workers = await until(async () => {
    const rows = await parts.database.rows<{ id: string }>('SELECT id FROM vid.workers')
    return rows.length === 1 ? rows : undefined
  })
  expect(workers[0]?.id).not.toBe(before?.id)
  expect(await row(id)).toMatchObject({ status: 'rendering' })
})

test('the parts of a render that was begun anew by others are refused', async () => {
  const server = await openWork({ 'index.html': page(12) })
  const { parts, submit, row } = server
  const id = await submit()
  const worker = await server.work({ slots: 1, spreadSegments: 0 })
  await until(async () => ((await row(id)).plan_key === null ? undefined : true))
  await worker.close()
  await parts.database.run('UPDATE vid.renders SET attempt = attempt + 1 WHERE id = $1', [id])
  const other = await register(parts, { slots: 10, version: '0' })
  expect(await takeJobs(parts, other, 10)).toEqual([])
  expect(await parts.queue.depth()).toEqual({ waiting: 0, active: 0 })
})

test('a worker that stops gives its jobs back, which does not count as a try', async () => {
  const server = await openWork({ 'index.html': endlessPage })
  const { parts, submit, work, row } = server
  const id = await submit()
  const worker = await work({ slots: 1, spreadSegments: 100_000 })
  await until(async () => ((await row(id)).frames_rendered > 0 ? true : undefined))
  await worker.close()
  expect(await parts.database.rows('SELECT id FROM vid.workers')).toEqual([])
  const next = await register(parts, { slots: 1, version: '0' })
  const jobs = await takeJobs(parts, next, 1)
  expect(jobs?.map(({ job }) => job.retries)).toEqual([0])
})

test('a worker that stops gives a job back at once, also while its render does not end', async () => {
  const { parts, submit, work, end } = await openWork()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isBegun = false
  const renderer: typeof parts.renderer = {
    ...parts.renderer,
    async render() {
      isBegun = true
      await released
      throw new Error('it has ended late')
    },
  }
  const id = await submit()
  const worker = await work({ slots: 1, spreadSegments: 100_000, renderer })
  await until(async () => (isBegun ? true : undefined))
  const closed = worker.close()
  await work()
  expect(await end(id)).toMatchObject({ status: 'completed' })
  expect(worker.running()).toBe(1)
  release()
  await closed
})

test('nothing is recorded of a render that ends after its worker has ended', async () => {
  const { parts, submit, lines } = await openWork()
  await submit()
  const workerId = await register(parts, { slots: 1, version: '0' })
  const [taken] = await until(async () => {
    const jobs = await takeJobs(parts, workerId, 1)
    return jobs?.length ? jobs : undefined
  })
  if (!taken) throw new Error('no job')
  const [drain, end, stop] = [new AbortController(), new AbortController(), new AbortController()]
  let isBegun = false
  let endLate = () => {}
  const ending = new Promise<never>((_resolve, reject) => {
    endLate = () => reject(new Error('it has ended late'))
  })
  const renderer: typeof parts.renderer = {
    ...parts.renderer,
    render() {
      isBegun = true
      return ending
    },
  }
  const ability = {
    state: () => ({ codecs: [], problem: null }),
    isReady: () => true,
    isAtFault: async () => false,
    close: async () => {},
  }
  const workDir = await makeFolder()
  const heldJob = { ...taken, workerId, stop, frames: 0, totalFrames: 0, isReported: true, isFinishing: false }
  const work = runJobSafely(
    heldJob,
    {
      parts: { ...parts, renderer },
      settings: { ...workerDefaults, slots: 1, version: '0', workDir, spreadSegments: 100_000 },
      clientText: createClientText(workDir, parts.log),
      ability,
    },
    { drain: drain.signal, end: end.signal },
  )
  await until(async () => (isBegun ? true : undefined))
  drain.abort(new Error('the worker stops'))
  await until(async () => ((await parts.queue.depth()).waiting === 1 ? true : undefined))
  stop.abort(new Error('lost', { cause: fail('VID_CLOUD_JOB_LOST', { job: taken.job.id }) }))
  end.abort(new Error('the worker ends'))
  endLate()
  await work
  expect(lines.filter(({ level }) => level !== 'info')).toEqual([])
})

test('a render that is deleted stops within moments, and nobody is told', async () => {
  const server = await openWork({ 'index.html': endlessPage })
  const { parts, submit, work, row, ended } = server
  const id = await submit()
  const waiting = await submit()
  const worker = await work({ slots: 1, spreadSegments: 100_000 })
  await until(async () => ((await row(id)).frames_rendered > 0 ? true : undefined))
  await parts.database.run('UPDATE vid.renders SET deleted_at = now() WHERE id = ANY($1::text[])', [[id, waiting]])
  await until(async () => ((await row(waiting)).status === 'failed' && worker.running() === 0 ? true : undefined))
  expect([await row(id), await row(waiting)]).toEqual(
    [0, 1].map(() => expect.objectContaining({ status: 'failed', failure_code: 'VID_CANCELLED' })),
  )
  await until(async () => ((await parts.queue.depth()).waiting === 0 ? true : undefined))
  expect([ended, await parts.queue.depth()]).toEqual([[], { waiting: 0, active: 0 }])
})

test.each([
  ['a composition without a root', '<p>no root</p>', {}, 'VID_COMPOSITION_NO_ROOT'],
  ['a variable that is not declared', page(), { variables: { colour: 'red' } }, 'VID_VARIABLES_STRICT'],
  ['a size with a fraction of a pixel', page(3, { width: 854, height: 480 }), {}, 'VID_CLOUD_SIZE'],
  ['an entry file that is missing', page(), { composition: 'other.html' }, 'VID_ENTRY_MISSING'],
])('%s fails the render at once, without paths of the server', async (_title, html, request, code) => {
  const { submit, work, end, ended, project, parts } = await openWork({ 'index.html': html })
  await work()
  const failed = await end(await submit(request))
  expect(failed).toMatchObject({ status: 'failed', failure_code: code })
  expect(failed.failure_message).not.toContain(project)
  expect(failed.failure_message).not.toMatch(/\/tmp|\/root|\/home/)
  expect(ended).toHaveLength(1)
  expect(await parts.queue.depth()).toEqual({ waiting: 0, active: 0 })
})

test('a job that takes too long fails its render', async () => {
  const { submit, work, end } = await openWork({ 'index.html': endlessPage })
  await work({ timeoutMs: 1000, spreadSegments: 100_000 })
  expect(await end(await submit())).toMatchObject({ failure_code: 'VID_CLOUD_TIMEOUT' })
})

longTest('a segment that the storage has lost has the render begun anew', async () => {
  const server = await openWork({ 'index.html': page(8) })
  const { parts, submit, work, row, end } = server
  const { storage } = parts
  let requests = 0
  const forgetful = {
    ...storage,
    async put(key: string, path: string) {
      if (/\/1\/segment-1$/.test(key)) requests += 1
      else await storage.put(key, path)
    },
  }
  const id = await submit()
  await work({ slots: 1, spreadSegments: 0, storage: forgetful })
  expect(await end(id)).toMatchObject({ status: 'completed', attempt: 3 })
  expect([requests, (await row(id)).segments]).toEqual([1, 2])
})
test('accounts take turns, those of more weight more often, and who asks for little does not wait', async () => {
  const { parts, submit } = await openWork()
  const many = await addAccount(parts.database)
  const few = await addAccount(parts.database)
  const heavy = await addAccount(parts.database, 2)
  const order = new Map<string, string>()
  for (let count = 0; count < 6; count += 1) order.set(await submit({}, many), 'many')
  for (let count = 0; count < 6; count += 1) order.set(await submit({}, heavy), 'heavy')
  const workerId = await register(parts, { slots: 1, version: '0' })
  const next = async () => {
    const [nextJob] = (await takeJobs(parts, workerId, 1)) ?? []
    return order.get(nextJob?.render.id ?? '')
  }
  const first = [await next(), await next(), await next()]
  order.set(await submit({}, few), 'few')
  const later = []
  for (let count = 0; count < 10; count += 1) later.push(await next())
  expect(first.filter((name) => name === 'heavy')).toHaveLength(2)
  // After at most one of each that had its tag before.
  expect(later.indexOf('few')).toBeLessThan(4)
  expect(later.lastIndexOf('heavy')).toBeLessThan(later.lastIndexOf('many'))
})
