import { readFile } from 'node:fs/promises'
import { createRenderer, type Renderer } from '@vid/render'
import { expect, onTestFinished, test } from 'vitest'
import { countingConfig, openWork, page } from '../fixtures/work.ts'

test('a short render is done whole: its video has the bytes of a local render, with thumbnail, usage and facts', async () => {
  const { parts, submit, work, end, rendered, keys, ended, lines } = await openWork()
  const worker = await work()
  const id = await submit({ variables: { hue: 40 } })
  const row = await end(id)
  expect(row, JSON.stringify(lines)).toMatchObject({ status: 'completed', failure_code: null, segments: 0 })
  expect(row).toMatchObject({
    duration: 0.1,
    frames_rendered: 3,
    total_frames: 3,
    progress: 1,
    width: 1080,
    height: 1080,
    video_sha256: await rendered({ variables: { hue: 40 }, resolution: '1080x1080' }),
  })
  expect(await keys('results/')).toEqual([`results/${id}/thumbnail.jpg`, `results/${id}/video.mp4`])
  expect(await keys('renders/')).toEqual([])
  expect(ended.map(({ id: renderId, status }) => [renderId, status])).toEqual([[id, 'completed']])
  expect(await parts.database.rows('SELECT rendered_seconds, billed_seconds FROM vid.usage')).toEqual([
    { rendered_seconds: 0.1, billed_seconds: 0.1 },
  ])
  expect(await parts.database.rows('SELECT * FROM vid.worker_jobs')).toEqual([])
  expect([worker.running(), await parts.queue.depth()]).toEqual([0, { waiting: 0, active: 0 }])
})

test('a long render is spread over all workers, and its bytes are those of one', async () => {
  const { parts, submit, work, end, rendered, keys, ended } = await openWork({ 'index.html': page(16) })
  await Promise.all([0, 1, 2].map(() => work({ slots: 1, spreadSegments: 0 })))
  const id = await submit()
  const row = await end(id)
  expect(row).toMatchObject({
    status: 'completed',
    segments: 4,
    attempt: 1,
    total_frames: 16,
    duration: expect.closeTo(0.533, 3),
  })
  expect(row).toMatchObject({ video_sha256: await rendered({ resolution: '1080x1080' }) })
  const segments = await parts.database.rows<{ worker_id: string }>(
    'SELECT worker_id FROM vid.render_segments WHERE done_at IS NOT NULL',
  )
  expect(segments).toHaveLength(4)
  expect(new Set(segments.map(({ worker_id }) => worker_id)).size).toBe(3)
  expect(await keys('renders/')).toEqual([])
  expect(ended).toHaveLength(1)
})

test.each([
  ['mp4', 1],
  ['webm', 2],
  ['mov', 2],
] as const)('a %s of %i frames has a thumbnail', async (format, frames) => {
  const { parts, submit, work, end } = await openWork({ 'index.html': page(frames) })
  await work()
  const row = await end(await submit({ format }))
  expect(row).toMatchObject({
    status: 'completed',
    total_frames: frames,
    duration: expect.closeTo(frames / 30, 2),
  })
  expect(row.video_key).toBe(`results/${row.id}/video.${format}`)
  expect(await parts.storage.size(row.thumbnail_key ?? '')).toBeGreaterThan(500)
})

test.each([
  ['short and done whole', 4, { spreadSegments: 100 }, ['resolve', 'page', 'plan']],
  // After the plan, each of the three segments is a job with its own page.
  ['long and spread', 12, { spreadSegments: 0 }, ['resolve', 'page', 'plan', 'page', 'page', 'page']],
])('a render that is %s is planned once, on one page', async (_, frames, options, steps) => {
  const { submit, work, end } = await openWork({ 'index.html': page(frames) })
  const { folder, log } = await countingConfig()
  const renderer = await createRenderer({ cwd: folder, configFrom: 'cwd' })
  onTestFinished(() => renderer.close())
  await work({ slots: 1, renderer, ...options })
  expect(await end(await submit())).toMatchObject({ status: 'completed', total_frames: frames })
  expect((await readFile(log, 'utf8')).trim().split('\n')).toEqual(steps)
})

test('a long render goes whole to a target that takes requests whole', async () => {
  const { parts, submit, work, end } = await openWork({ 'index.html': page(8) })
  const renderer: Renderer = {
    ...parts.renderer,
    // As for such a target: nobody is shown a plan.
    render: (settings, { takePlan: _, ...options } = {}) => parts.renderer.render(settings, options),
  }
  await work({ slots: 1, spreadSegments: 0, renderer })
  expect(await end(await submit())).toMatchObject({ status: 'completed', segments: 0, total_frames: 8 })
})
