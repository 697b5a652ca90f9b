import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { expect, onTestFinished, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { hlsPage, videoOf } from '../support/live-video.ts'
import { startBrowser, startSite } from '../support/player-site.ts'
import { ASK_EVERY_MS, scratch, start, until } from '../support/vid.ts'
import { FPS, makeBar, SECOND_CHUNKS, SECONDS } from './bar-composition.ts'
import { aws, keysBelow, lambda, readBytes, stack } from './stack.ts'

const PARTS = Array.from({ length: SECONDS }, (_, number) => `180p-0000${number}.m4s`)
const END = '#EXT-X-ENDLIST'
const linesOf = async (key: string) => ((await readBytes(key)) ?? '').toString().trimEnd().split('\n')
const partsOf = (lines: readonly string[]) => lines.filter((line) => line.endsWith('.m4s'))

/** Shows the bucket as a distribution in front of it does, beside a page that plays with hls.js. */
const startDistribution = async () =>
  startSite(await scratch(), {
    texts: await hlsPage(),
    async answer(url, _, response) {
      const key = new URL(url, 'http://any').pathname.slice(1)
      if (!key.startsWith('streams/')) return false
      const body = await readBytes(key)
      response.writeHead(body ? 200 : 404).end(body)
      return true
    },
  })

/** The MD5 of each frame of a video, in its largest size. */
const framesOf = async (input: string): Promise<string[]> => {
  const { ffmpeg } = await findFfmpeg()
  const words = ['-v', 'error', '-i', input, '-map', '0:v:0', '-f', 'framemd5', 'pipe:1']
  const text = await runProcess(ffmpeg, words, undefined)
  return text.split('\n').flatMap((line) => (line.startsWith('0,') ? [line.split(',').at(-1)?.trim() ?? ''] : []))
}

/** Waits as long as a render takes on a machine that is busy with other things. */
const RENDER_MS = 400_000
const TEST_MS = 900_000

/** The playlist of pictures at each time until it ends; its segments are in order, none missing, none twice. */
const watch = async (folder: string): Promise<readonly string[]> =>
  until(
    async () => {
      const lines = await linesOf(`${folder}/180p.m3u8`)
      expect(partsOf(lines)).toEqual(PARTS.slice(0, partsOf(lines).length))
      return lines.at(-1) === END ? lines : undefined
    },
    RENDER_MS,
    ASK_EVERY_MS,
  )

longTest(
  'an hls video in the bucket plays from its first segment to its end, through calls that are killed',
  async () => {
    const cwd = await makeBar()
    const site = await startDistribution()
    await aws().control('rules', [
      // Later chunks are finished before this one.
      { from: 'function', method: 'PUT', key: '/renders/[^/]+/segments/1-', kind: 'kill' },
      { from: 'function', method: 'PUT', key: '/streams/live/180p\\.m3u8$', skip: 1, kind: 'kill' },
    ])
    const words = ['render', 'film', '--format', 'hls', '--captions', 'track', '--poster', '50%', ...SECOND_CHUNKS]
    const run = start(['lambda', ...words, '--output-key', 'streams/live', '-o', 'out', '--json'], { cwd })
    const isThere = async () =>
      (await keysBelow('streams/live/')).includes('streams/live/index.m3u8') ? true : undefined
    await Promise.race([until(isThere, RENDER_MS, ASK_EVERY_MS), run.done])
    const browser = await startBrowser({ args: ['--autoplay-policy=no-user-gesture-required'] })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    page.setDefaultTimeout(RENDER_MS)
    const url = `${site.origin}/streams/live/index.m3u8`
    await page.goto(`${site.origin}/play.html?video=${encodeURIComponent(url)}`)
    expect(partsOf(await watch('streams/live'))).toEqual(PARTS)
    const { code, stdout, stderr } = await run.done
    expect(code, stderr).toBe(0)
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const running = events.filter(({ status, playlistFile }) => status === 'RUNNING' && playlistFile !== null)
    expect(running.length).toBeGreaterThan(0)
    expect(running.at(-1)?.playlistFile).toBe(`s3://${stack().bucket}/streams/live/index.m3u8`)
    expect((await aws().control('state')).rules.map(({ done }) => done)).toEqual([1, 1])
    await page.waitForFunction(() => document.querySelector('video')?.ended === true)
    const { error, duration, soundBytes } = await videoOf(page)
    expect(error).toBeUndefined()
    expect(duration).toBeCloseTo(SECONDS, 1)
    expect(soundBytes).toBeGreaterThan(20_000)

    expect(await linesOf('streams/live/180p.m3u8')).toContain('#EXT-X-PLAYLIST-TYPE:VOD')
    expect(String(await readBytes('streams/live/captions-0-00000.vtt'))).toContain('red, then green')
    const names = (await readdir(join(cwd, 'out'))).map((name) => `streams/live/${name}`)
    expect((await keysBelow('streams/live/')).toSorted()).toEqual(names.sort())
    const mp4 = await lambda(['render', 'film', ...SECOND_CHUNKS, '-o', 'film.mp4'], cwd)
    expect(mp4.code, mp4.stderr).toBe(0)
    const frames = await framesOf(join(cwd, 'film.mp4'))
    expect(frames).toHaveLength(FPS * SECONDS)
    expect(await framesOf(join(cwd, 'out', 'index.m3u8'))).toEqual(frames)
    expect(await framesOf(url)).toEqual(frames)
  },
  TEST_MS,
)

test(
  'a chunk that fails for good ends all playlists after the last segment before it',
  async () => {
    const cwd = await makeBar()
    const chunk = { from: 'function', method: 'PUT', key: '/renders/[^/]+/segments/2-', times: 100 } as const
    await aws().control('rules', [{ ...chunk, kind: 'hold' }])
    const words = [
      'render',
      'film',
      '--format',
      'hls',
      '--no-cache',
      ...SECOND_CHUNKS,
      '--output-key',
      'streams/failed',
    ]
    const run = start(['lambda', ...words], { cwd })
    await Promise.race([
      until(
        async () => (partsOf(await linesOf('streams/failed/180p.m3u8')).length === 2 ? true : undefined),
        RENDER_MS,
        ASK_EVERY_MS,
      ),
      run.done,
    ])
    await aws().control('rules', [{ ...chunk, kind: 'status', status: 403, code: 'AccessDenied' }])
    const ended = await watch('streams/failed')
    const { code, stderr } = await run.done
    expect(code, stderr).toBe(1)
    expect(partsOf(ended)).toEqual(PARTS.slice(0, 2))
    for (const name of ['180p.m3u8', '180p-keys.m3u8', 'audio.m3u8']) {
      const lines = await linesOf(`streams/failed/${name}`)
      expect([lines.at(-1), lines.filter((line) => line.startsWith('#EXTINF'))], name).toEqual([
        END,
        [expect.any(String), expect.any(String)],
      ])
    }
    const site = await startDistribution()
    expect(await framesOf(`${site.origin}/streams/failed/index.m3u8`)).toHaveLength(FPS * 2)
  },
  TEST_MS,
)
