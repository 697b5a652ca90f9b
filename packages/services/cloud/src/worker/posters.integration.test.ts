import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { partOf } from '../../../../../scripts/dev/part-of.ts'
import { makeFolder, openWork, page } from '../fixtures/work.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const FRAMES = 8

let posters: Promise<{ readonly first: string; readonly middle: string }> | undefined

/** The posters that a render here writes of the first frame and of the middle; each is rendered once for all tests. */
const postersHere = ({ parts, project }: Awaited<ReturnType<typeof openWork>>) => {
  const render = async (projectDir: string, poster: string) => {
    const output = join(await makeFolder(), 'video.mp4')
    const picture = { resolution: '1080x1080', quality: 'draft', fps: 30, format: 'mp4' } as const
    await parts.renderer.render({ ...picture, projectDir, output, poster })
    return sha256(await readFile(output.replace('.mp4', '.poster.jpg')))
  }
  const renderBoth = async () => ({
    // The first frame does not depend on how many follow.
    first: await render(await makeFolder({ 'index.html': page(1) }), '0'),
    middle: await render(project, '50%'),
  })
  posters ??= renderBoth()
  return posters
}

const open = async (frames = FRAMES) => {
  const server = await openWork({ 'index.html': page(frames) })
  const { parts } = server
  /** The poster that was stored. */
  const stored = async (key: string | null) => {
    const path = join(await makeFolder(), 'poster')
    await parts.storage.get(key ?? '', path)
    return sha256(await readFile(path))
  }
  return { ...server, stored }
}

test.each(
  partOf(
    [
      ['mp4', 100],
      ['mp4', 0],
      ['hls', 100],
    ] as const,
    1,
  ),
)('the poster of an %s is that of a local render, spread above %i segments', async (format, spreadSegments) => {
  const server = await open()
  const { submit, work, end, keys, stored } = server
  await work({ spreadSegments })
  const row = await end(await submit({ format, poster: '50%' }))
  expect(row).toMatchObject({
    status: 'completed',
    failure_message: null,
    poster_key: `results/${row.id}/poster.jpg`,
  })
  expect(await keys('results/')).toContain(row.poster_key)
  const { first, middle } = await postersHere(server)
  expect(await stored(row.poster_key)).toBe(middle)
  expect(middle).not.toBe(first)
})

test('a render without a poster has none, and one after the end fails before its first frame', async () => {
  const { parts, submit, work, end, keys } = await open(2)
  await work()
  const plain = await end(await submit())
  expect([plain.status, plain.poster_key]).toEqual(['completed', null])
  // The API knows the length of most videos; only the page knows that of others.
  const late = await end(await submit({ poster: '9s' }))
  expect(late).toMatchObject({ status: 'failed', failure_code: 'VID_POSTER_TIME', frames_rendered: 0 })
  expect(await keys(`results/${late.id}/`)).toEqual([])
  expect(await parts.queue.depth()).toEqual({ waiting: 0, active: 0 })
})

test('the codec of a request is that of its video, and a worker says which ones it encodes', async () => {
  const { parts, submit, work, end, rendered } = await open(2)
  const hevc = { codec: 'hevc', resolution: '1080x1080' } as const
  await work()
  const row = await end(await submit({ codec: 'hevc' }))
  expect(row).toMatchObject({ status: 'completed', video_sha256: await rendered(hevc) })
  const [worker] = await parts.database.rows<{ codecs: readonly string[] }>('SELECT codecs FROM vid.workers')
  expect(worker?.codecs).toEqual(expect.arrayContaining(['h264', 'hevc']))
})
