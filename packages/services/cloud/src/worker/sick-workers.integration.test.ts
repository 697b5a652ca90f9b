import { VidError } from '@vid/protocol'
import { createRenderer } from '@vid/render'
import { expect, onTestFinished, test, vi } from 'vitest'
import { longTest } from '../../../../../scripts/dev/part-of.ts'
import { makeFolder, openWork, page, until } from '../fixtures/work.ts'
import { register } from './lease.ts'
import type { CloudLog } from './parts.ts'
import { takeJobs } from './take-jobs.ts'

/** An error of a disk that is full. */
const noSpace = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

/** A log that expects errors: a worker reports its defect as one. */
const expectant = () => {
  const defects: unknown[] = []
  const log: CloudLog = {
    info: () => {},
    warn: () => {},
    error: (facts) => void defects.push((facts as { readonly part?: string }).part),
  }
  return { defects, log }
}

type Work = Awaited<ReturnType<typeof openWork>>

/** Parts of a worker without space on its disk. */
const withoutSpace = ({ parts }: Work) => {
  const state = { isFull: true, tries: 0 }
  const fill = () => {
    state.tries += 1
    if (state.isFull) throw noSpace()
  }
  const projects: Work['parts']['projects'] = {
    async hold(...call) {
      fill()
      return parts.projects.hold(...call)
    },
  }
  const renderer: Work['parts']['renderer'] = {
    ...parts.renderer,
    async render(...call) {
      fill()
      return parts.renderer.render(...call)
    },
  }
  return { state, projects, renderer }
}

const problems = async ({ parts }: Work) =>
  (await parts.database.rows<{ problem: string | null }>('SELECT problem FROM vid.workers')).map(
    ({ problem }) => problem,
  )

test('a worker without space takes one job and no more; a healthy one beside it renders them all', async () => {
  const server = await openWork()
  const { submit, work, end } = server
  const { state, projects, renderer } = withoutSpace(server)
  const { log, defects } = expectant()
  const ids = await Promise.all(Array.from({ length: 6 }, () => submit()))
  const sick = await work({ slots: 1, projects, renderer, log })
  await until(async () => sick.problem())
  const { tries } = state
  await work({ slots: 1 })
  for (const id of ids) expect(await end(id)).toMatchObject({ status: 'completed', failure_code: null })
  expect(defects).toEqual(['renderer'])
  // The job and the trial; later only trials, until one passes.
  expect(tries).toBe(2)
  expect(await problems(server)).toEqual(expect.arrayContaining(['renderer', null]))
  state.isFull = false
  await until(async () => (sick.problem() === undefined ? true : undefined))
  await until(async () => ((await problems(server)).every((problem) => problem === null) ? true : undefined))
})

test('faults of a worker use up no attempts, however often they come, and its jobs go on when it works again', async () => {
  const server = await openWork()
  const { parts, submit, work, end } = server
  const { state, projects, renderer } = withoutSpace(server)
  const { log } = expectant()
  const id = await submit()
  for (let times = 0; times < 5; times += 1) {
    const worker = await work({ slots: 1, projects, renderer, log })
    await until(async () => worker.problem())
    await worker.close()
  }
  const [job] = await parts.database.rows<{ retry_count: number }>(`SELECT retry_count FROM ${parts.queue.schema}.job`)
  expect(job).toEqual({ retry_count: 0 })
  state.isFull = false
  await work({ slots: 1, projects, renderer })
  expect(await end(id)).toMatchObject({ status: 'completed' })
})

longTest('renders wait for a storage that is full', async () => {
  const server = await openWork()
  const { parts, submit, work, end, row } = server
  let isFull = true
  const storage: Work['parts']['storage'] = {
    ...parts.storage,
    async put(...call) {
      if (isFull) throw noSpace()
      return parts.storage.put(...call)
    },
  }
  const { log, defects } = expectant()
  const ids = await Promise.all([0, 1, 2].map(() => submit()))
  const workers = await Promise.all([0, 1].map(() => work({ slots: 1, storage, log })))
  await until(async () => (workers.every((worker) => worker.problem() === 'storage') ? true : undefined))
  for (const id of ids) expect((await row(id)).failure_code).toBeNull()
  isFull = false
  for (const id of ids) expect(await end(id)).toMatchObject({ status: 'completed' })
  expect(new Set(defects)).toEqual(new Set(['storage']))
})

test('a worker whose browser does not start leaves its jobs to others', async () => {
  const server = await openWork()
  const { submit, work, end } = server
  const folder = await makeFolder({ 'vid.config.json': '{}' })
  vi.stubEnv('VID_BROWSER_PATH', '/bin/false')
  onTestFinished(() => void vi.unstubAllEnvs())
  const renderer = await createRenderer({ cwd: folder, configFrom: 'cwd' })
  onTestFinished(() => renderer.close())
  const { log, defects } = expectant()
  const id = await submit()
  const sick = await work({ slots: 1, renderer, log })
  await until(async () => sick.problem())
  expect([sick.problem(), defects]).toEqual(['browser', ['browser']])
  vi.unstubAllEnvs()
  await work({ slots: 1 })
  expect(await end(id)).toMatchObject({ status: 'completed' })
})

longTest('a worker that can no longer encode a codec is offered no more of it, and others render it', async () => {
  const server = await openWork()
  const { parts, submit, work, end } = server
  const renderer: Work['parts']['renderer'] = {
    ...parts.renderer,
    async render() {
      const text = { message: 'No hevc here.', hint: 'Install one.', fault: 'machine' } as const
      throw new VidError('VID_CODEC_MISSING', text)
    },
  }
  const { log } = expectant()
  const id = await submit({ codec: 'hevc' })
  await work({ slots: 1, renderer, log })
  await until(async () => {
    const [row] = await parts.database.rows<{ codecs: readonly string[] }>('SELECT codecs FROM vid.workers')
    return row?.codecs.includes('hevc') ? undefined : true
  })
  await work({ slots: 1 })
  expect(await end(id)).toMatchObject({ status: 'completed' })
})

test('a job that failed on a worker goes to another one first, and to the same one if there is no other', async () => {
  const server = await openWork({ 'index.html': page() })
  const { parts, submit } = server
  await submit()
  const one = await register(parts, { slots: 1, version: '0' })
  const [taken] = (await takeJobs(parts, one, 1)) ?? []
  if (!taken) throw new Error('no job')
  const fault = 'INSERT INTO vid.job_faults (job_id, worker_id) VALUES ($1, $2) ON CONFLICT DO NOTHING'
  const giveBack = async () => {
    await parts.database.run('DELETE FROM vid.worker_jobs')
    await parts.database.transaction((sql) => parts.queue.giveBack(sql, [taken.job.id]))
  }
  await parts.database.run(fault, [taken.job.id, one])
  await giveBack()
  const other = await register(parts, { slots: 1, version: '0' })
  expect(await takeJobs(parts, one, 1)).toEqual([])
  expect(await takeJobs(parts, other, 1)).toHaveLength(1)
  await parts.database.run(fault, [taken.job.id, other])
  await giveBack()
  expect(await takeJobs(parts, one, 1)).toHaveLength(1)
  // One that does not work is no other worker to wait for.
  await parts.database.run('DELETE FROM vid.job_faults WHERE worker_id = $1', [other])
  await giveBack()
  await parts.database.run(`UPDATE vid.workers SET problem = 'disk' WHERE id = $1`, [other])
  expect(await takeJobs(parts, one, 1)).toHaveLength(1)
})
