import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { unpackProject } from '@vid/project'
import type { Renderer } from '@vid/render'
import { expect, test } from 'vitest'
import { longTest } from '../../../../../scripts/dev/part-of.ts'
import { makeFolder, openWork, page, until } from '../fixtures/work.ts'
import type { PublishedVideo } from '../streams/stream-records.ts'

const { signal } = new AbortController()
const FRAMES = 16
const files = [0, 1, 2, 3].map((number) => `1080p-0000${number}.m4s`)

/** The MD5 of each frame of a video, in its largest size. */
const framesOf = async (path: string): Promise<string[]> => {
  const { ffmpeg } = await findFfmpeg()
  const options = ['-map', '0:v:0', '-f', 'framemd5', 'pipe:1']
  const text = await runProcess(ffmpeg, ['-v', 'error', '-i', path, ...options], signal)
  return text.split('\n').flatMap((line) => (line.startsWith('0,') ? [line.split(',').at(-1)?.trim() ?? ''] : []))
}

/** A server for a video of four segments, of which some are held back until they are released. */
const openHeld = async (numbers: readonly number[]) => {
  const server = await openWork({ 'index.html': page(FRAMES) })
  const { parts } = server
  const gates = new Map(numbers.map((number) => [number, new AbortController()]))
  const renderer: Renderer = {
    ...parts.renderer,
    async renderSegment(settings, part, options) {
      const gate = gates.get(part.index)?.signal
      const signals = [gate, options?.signal].filter((each) => each !== undefined)
      if (gate && !gate.aborted) await Promise.race(signals.map((each) => once(each, 'abort')))
      return parts.renderer.renderSegment(settings, part, options)
    },
  }
  const work = (slots: number) => server.work({ slots, renderer })
  const videoNow = async () => {
    const [video] = await parts.database.rows<PublishedVideo & { is_complete: boolean }>('SELECT * FROM vid.streams')
    const lines = video?.playlists['1080p.m3u8']?.trimEnd().split('\n') ?? []
    return { ...video, media: lines.filter((line) => !line.startsWith('#')), end: lines.at(-1) }
  }
  /** Resolves once players see so many segments. */
  const shown = (count: number) => until(async () => ((await videoNow()).segments === count ? true : undefined))
  /** Resolves once so many segments are finished. */
  const done = (count: number) =>
    until(async () => {
      const rows = await parts.database.rows('SELECT 1 FROM vid.render_segments WHERE done_at IS NOT NULL')
      return rows.length === count ? true : undefined
    })
  return { ...server, work, videoNow, shown, done, release: (number: number) => gates.get(number)?.abort() }
}

/** The files of a video as players get them, in a folder. */
const playedFolder = async (
  { parts, keys }: Awaited<ReturnType<typeof openWork>>,
  playlists: PublishedVideo['playlists'],
) => {
  const folder = await makeFolder()
  for (const [name, text] of Object.entries(playlists)) await writeFile(join(folder, name), text)
  for (const key of await keys('streams/')) await parts.storage.get(key, join(folder, key.split('/').at(-1) ?? ''))
  return join(folder, 'index.m3u8')
}

longTest(
  'an hls render is a zip and a video for players, whose frames are those of the mp4 of the same plan',
  async () => {
    // Two segments.
    const server = await openWork({ 'index.html': page(8) })
    const { parts, submit, work, end, lines } = server
    await work()
    const hls = await end(await submit({ format: 'hls', ladder: '360' }))
    const [video] = await parts.database.rows<PublishedVideo>('SELECT playlists FROM vid.streams WHERE is_complete')
    const played = await playedFolder(server, video?.playlists ?? {})
    const mp4 = await end(await submit())
    expect(hls, JSON.stringify(lines)).toMatchObject({ status: 'completed', video_key: `results/${hls.id}/video.zip` })
    const folder = await makeFolder()
    const [zip, file] = [join(folder, 'video.zip'), join(folder, 'video.mp4')]
    await parts.storage.get(hls.video_key ?? '', zip)
    await parts.storage.get(mp4.video_key ?? '', file)
    await unpackProject(zip, join(folder, 'video'))
    const names = await readdir(join(folder, 'video'))
    const both = files.slice(0, 2)
    expect(names).toEqual(expect.arrayContaining([...both, ...both.map((name) => name.replace('1080', '360'))]))
    const frames = await framesOf(file)
    expect(frames).toHaveLength(8)
    expect(await framesOf(join(folder, 'video', 'index.m3u8'))).toEqual(frames)
    expect(await framesOf(played)).toEqual(frames)
    // Its frame is the first one of the second segment.
    expect(await parts.storage.size(hls.thumbnail_key ?? '')).toBeGreaterThan(500)
  },
)

test('players see segments in order, whatever the order in which workers finish them', async () => {
  const { submit, work, end, videoNow, shown, done, release, row } = await openHeld([1])
  await Promise.all([work(2), work(2)])
  const id = await submit({ format: 'hls' })
  await done(3)
  await shown(1)
  expect(await videoNow()).toMatchObject({ media: files.slice(0, 1), end: files[0], is_complete: false })
  expect(await row(id)).toMatchObject({ status: 'rendering', stream_attempt: 1 })
  release(1)
  expect(await end(id)).toMatchObject({ status: 'completed', stream_attempt: 1 })
  expect(await videoNow()).toMatchObject({ media: files, end: '#EXT-X-ENDLIST', is_complete: true })
})

longTest(
  'another worker goes on with the video of a worker that ends, and none of its segments comes twice',
  async () => {
    const { parts, submit, work, end, videoNow, shown, release } = await openHeld([2, 3])
    const first = await work(2)
    const id = await submit({ format: 'hls' })
    await shown(2)
    const holders = () => parts.database.rows<{ worker_id: string }>('SELECT worker_id FROM vid.stream_holders')
    expect(await holders()).toHaveLength(1)
    await first.close()
    expect(await holders()).toEqual([])
    await work(1)
    release(2)
    await shown(3)
    expect(await videoNow()).toMatchObject({ media: files.slice(0, 3), end: files[2] })
    release(3)
    expect(await end(id)).toMatchObject({ status: 'completed', attempt: 1 })
    expect(await videoNow()).toMatchObject({ media: files, end: '#EXT-X-ENDLIST' })
  },
)
