import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RenderEvent } from '@vid/protocol'
import type { RenderOutcome } from '@vid/render'
import { expect, test } from 'vitest'
import type { Job } from '../api.ts'
import { makeProject } from '../fixtures/open-preview.ts'
import { createJobs } from './jobs.ts'

type Render = Parameters<typeof createJobs>[0]['renderer']['render']
type Options = NonNullable<Parameters<Render>[1]>

const renderId = 'r'
const progress = (framesRendered: number): RenderEvent => ({
  type: 'render-progress',
  renderId,
  stage: 'render',
  progress: framesRendered / 60,
  framesRendered,
  totalFrames: 60,
})

/** Jobs whose renders are done by `work`, and everything that is reported about them. */
const openJobs = async (work: (folder: string, options: Options) => Promise<RenderOutcome>) => {
  const dir = await makeProject()
  const reports: Job[] = []
  let hear = (_: Job) => {}
  const jobs = createJobs({
    dir,
    cwd: dir,
    useStaged: (_entry, _signal, work) => work({ projectDir: dir, state: 'written' }),
    renderer: { render: (_, options = {}) => work(join(dir, 'renders'), options) },
    onChange(job) {
      reports.push(job)
      hear(job)
    },
  })
  const ended = (state: Job['state']) =>
    new Promise<Job>((resolve) => {
      hear = (job) => job.state === state && resolve(job)
    })
  return { dir, jobs, reports, ended }
}

test('a render tells its progress, and gives its file once it is made', async () => {
  const { dir, jobs, reports, ended } = await openJobs(async (folder, { onEvent }) => {
    const path = join(folder, 'intro.mp4')
    onEvent?.({ type: 'render-start', renderId, outputPath: path })
    onEvent?.(progress(0))
    onEvent?.(progress(30))
    await mkdir(folder)
    await writeFile(path, 'video')
    return { renderId, files: [{ path, bytes: 5 }], results: [], warnings: [] }
  })
  const completed = ended('completed')
  const { id } = jobs.start({ entry: 'index.html', quality: 'draft' })
  expect(() => jobs.file(id, 0)).toThrow(expect.objectContaining({ code: 'VID_PREVIEW_JOB' }))
  const job = await completed
  expect(reports.map(({ state, framesRendered }) => [state, framesRendered])).toEqual([
    ['queued', 0],
    ['running', 0],
    ['running', 0],
    ['running', 30],
    ['completed', 30],
  ])
  expect(job).toMatchObject({ folder: 'renders', progress: 1, remainingMs: null, error: null })
  expect(job.files).toEqual([{ name: 'intro.mp4', bytes: 5, contentType: 'video/mp4', url: `/api/jobs/${id}/files/0` }])
  expect(jobs.file(id, 0)).toBe(join(dir, 'renders/intro.mp4'))
  expect(jobs.writes(join(dir, 'renders/intro.mp4'))).toBe(true)
  expect(jobs.writes(join(dir, 'index.html'))).toBe(false)
  for (const [unknown, index] of [
    ['x', 0],
    [id, 1],
    [id, Number.NaN],
  ] as const)
    expect(() => jobs.file(unknown, index)).toThrow(expect.objectContaining({ code: 'VID_PREVIEW_JOB' }))
})

test('a render that is cancelled ends as cancelled, one that fails tells why', async () => {
  const { jobs, ended } = await openJobs(
    (_, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  const cancelled = ended('cancelled')
  jobs.cancel(jobs.start({ entry: 'index.html' }).id)
  expect(await cancelled).toMatchObject({ error: null, endedAt: expect.any(String) })

  const failing = await openJobs(() => Promise.reject(new Error('no room')))
  const failed = failing.ended('failed')
  failing.jobs.start({ entry: 'index.html' })
  expect((await failed).error?.message).toContain('no room')
})
