import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3'
import { findFfmpeg, probeMedia, runProcess } from '@vid/ffmpeg'
import { decodePng } from '@vid/testkit'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startAws } from '../scripts/aws/start.mjs'
import { hlsPage, videoOf } from './support/live-film.ts'
import { startBrowser, startSite } from './support/player-site.ts'
import { writeTone } from './support/sound.ts'
import { type Finished, here, scratch, start, until, vid } from './support/vid.ts'

const SECONDS = 6
const TALK = 'WEBVTT\n\n00:00.500 --> 00:01.500\nred, then green\n'

/** A bar that crosses the picture in chunks of a second, with a tone and captions. */
const PAGE = `<!doctype html><html><body>
<div data-composition-id="main" data-width="320" data-height="180" data-duration="${SECONDS}" data-no-timeline style="background:#123">
  <div id="bar" style="position:absolute;top:20px;width:40px;height:140px;background:#fc3"></div>
  <track kind="captions" src="talk.vtt" srclang="en" label="English" data-start="0">
  <audio src="tone.wav" data-start="0" data-duration="${SECONDS}"></audio>
</div>
<style>[data-shape='9:16'] { background: #c00 !important }</style>
<script>
  document.getElementById('bar').animate([{ left: '0' }, { left: '280px' }], { duration: ${SECONDS * 1000}, fill: 'both' })
</script></body></html>`

const PARTS = [0, 1, 2, 3, 4, 5].map((number) => `180p-0000${number}.m4s`)
const END = '#EXT-X-ENDLIST'
const CHUNKS = ['--chunk-size', '30', '--quality', 'draft', '--wait', '--poll-interval', '0.2'] as const

let aws: Awaited<ReturnType<typeof startAws>>
let client: S3Client
let bucket = ''
/** What the first test has deployed is there for all. */
let deployed: Finished | undefined

/** Runs the command with the endpoints of AWS in place of AWS. */
const optionsIn = (cwd: string) => ({ cwd, env: { ...aws.env } })
const lambda = (cwd: string, words: readonly string[]): Promise<Finished> => vid(['lambda', ...words], optionsIn(cwd))

beforeAll(async () => {
  aws = await startAws({ retryScale: 0.05, concurrency: 3, initSeconds: 120 })
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = aws.env
  client = new S3Client({
    region: aws.env.AWS_REGION ?? '',
    endpoint: aws.env.AWS_ENDPOINT_URL_S3 ?? '',
    credentials: { accessKeyId, secretAccessKey },
  })
})
beforeEach(async () => {
  deployed ??= await lambda(here('..'), ['deploy'])
  if (deployed.code !== 0) throw new Error(`the stack was not deployed:\n${deployed.stderr}`)
  bucket = /RenderBucketName=(\S+)/.exec(deployed.stdout)?.[1] ?? ''
})
afterAll(() => aws.close())

const project = async (): Promise<string> => {
  const folder = await scratch()
  await mkdir(join(folder, 'film'))
  await writeFile(join(folder, 'film', 'index.html'), PAGE)
  await writeFile(join(folder, 'film', 'talk.vtt'), TALK)
  await writeTone(join(folder, 'film', 'tone.wav'), 440, SECONDS)
  return folder
}

const readBytes = async (Key: string): Promise<Buffer | undefined> => {
  const reply = await client.send(new GetObjectCommand({ Bucket: bucket, Key })).catch((thrown: unknown) => {
    if ((thrown as Error).name === 'NoSuchKey') return undefined
    throw thrown
  })
  return reply && Buffer.from((await reply.Body?.transformToByteArray()) ?? [])
}
const linesOf = async (key: string) => ((await readBytes(key)) ?? '').toString().trimEnd().split('\n')
const partsOf = (lines: readonly string[]) => lines.filter((line) => line.endsWith('.m4s'))
const namesBelow = async (Prefix: string) => {
  const names: string[] = []
  // The server lists a few objects a page.
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix }))
    names.push(...Contents.map(({ Key = '' }) => Key.slice(Prefix.length)))
  return names
}

/** Shows the bucket as a distribution in front of it does, beside a page that plays with hls.js. */
const startDistribution = async () =>
  startSite(await scratch(), {
    texts: await hlsPage(),
    async answer(url, _, response) {
      const key = new URL(url, 'http://any').pathname.slice(1)
      if (!key.startsWith('films/')) return false
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
  until(async () => {
    const lines = await linesOf(`${folder}/180p.m3u8`)
    expect(partsOf(lines)).toEqual(PARTS.slice(0, partsOf(lines).length))
    return lines.at(-1) === END ? lines : undefined
  }, RENDER_MS)

test(
  'an hls video in the bucket plays from its first segment to its end, through calls that are killed',
  async () => {
    const cwd = await project()
    const site = await startDistribution()
    await aws.control('rules', [
      // Later chunks are finished before this one.
      { from: 'function', method: 'PUT', key: '/renders/[^/]+/segments/1-', kind: 'kill' },
      { from: 'function', method: 'PUT', key: '/films/live/180p\\.m3u8$', skip: 2, kind: 'kill' },
    ])
    const words = ['render', 'film', '--format', 'hls', '--captions', 'track', '--poster', '50%', ...CHUNKS]
    const run = start(['lambda', ...words, '--output-key', 'films/live', '-o', 'out', '--json'], optionsIn(cwd))
    const isThere = async () => ((await namesBelow('films/live/')).includes('index.m3u8') ? true : undefined)
    await Promise.race([until(isThere, RENDER_MS), run.done])
    const browser = await startBrowser({ args: ['--autoplay-policy=no-user-gesture-required'] })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    page.setDefaultTimeout(RENDER_MS)
    const url = `${site.origin}/films/live/index.m3u8`
    await page.goto(`${site.origin}/play.html?video=${encodeURIComponent(url)}`)
    expect(partsOf(await watch('films/live'))).toEqual(PARTS)
    const { code, stdout, stderr } = await run.done
    expect(code, stderr).toBe(0)
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const running = events.filter(({ status, playlistFile }) => status === 'RUNNING' && playlistFile !== null)
    expect(running.length).toBeGreaterThan(0)
    expect(running.at(-1)?.playlistFile).toBe(`s3://${bucket}/films/live/index.m3u8`)
    expect((await aws.control('state')).rules.map(({ done }) => done)).toEqual([1, 1])
    await page.waitForFunction(() => document.querySelector('video')?.ended === true)
    const { error, duration, soundBytes } = await videoOf(page)
    expect(error).toBeUndefined()
    expect(duration).toBeCloseTo(SECONDS, 1)
    expect(soundBytes).toBeGreaterThan(20_000)

    expect(await linesOf('films/live/180p.m3u8')).toContain('#EXT-X-PLAYLIST-TYPE:VOD')
    expect(String(await readBytes('films/live/captions-0-00000.vtt'))).toContain('red, then green')
    expect((await namesBelow('films/live/')).sort()).toEqual((await readdir(join(cwd, 'out'))).sort())
    const mp4 = await lambda(cwd, ['render', 'film', ...CHUNKS, '-o', 'film.mp4'])
    expect(mp4.code, mp4.stderr).toBe(0)
    const frames = await framesOf(join(cwd, 'film.mp4'))
    expect(frames).toHaveLength(30 * SECONDS)
    expect(await framesOf(join(cwd, 'out', 'index.m3u8'))).toEqual(frames)
    expect(await framesOf(url)).toEqual(frames)
  },
  TEST_MS,
)

test(
  'a chunk that fails for good ends all playlists after the last segment before it',
  async () => {
    const cwd = await project()
    const chunk = { from: 'function', method: 'PUT', key: '/renders/[^/]+/segments/2-', times: 100 } as const
    await aws.control('rules', [{ ...chunk, kind: 'silence' }])
    const words = ['render', 'film', '--format', 'hls', '--no-cache', ...CHUNKS, '--output-key', 'films/failed']
    const run = start(['lambda', ...words], optionsIn(cwd))
    await Promise.race([
      until(async () => (partsOf(await linesOf('films/failed/180p.m3u8')).length === 2 ? true : undefined), RENDER_MS),
      run.done,
    ])
    await aws.control('rules', [{ ...chunk, kind: 'kill' }])
    const ended = await watch('films/failed')
    const { code, stderr } = await run.done
    expect(code, stderr).toBe(1)
    expect(partsOf(ended)).toEqual(PARTS.slice(0, 2))
    for (const name of ['180p.m3u8', '180p-keys.m3u8', 'audio.m3u8']) {
      const lines = await linesOf(`films/failed/${name}`)
      expect([lines.at(-1), lines.filter((line) => line.startsWith('#EXTINF'))], name).toEqual([
        END,
        [expect.any(String), expect.any(String)],
      ])
    }
    const site = await startDistribution()
    expect(await framesOf(`${site.origin}/films/failed/index.m3u8`)).toHaveLength(60)
  },
  TEST_MS,
)

test('a render in a shape has its poster beside it, in the bucket and here', async () => {
  await aws.control('rules', [])
  const cwd = await project()
  const words = ['--shapes', '9:16', '--poster', '0%', '--codec', 'h264', '--output-key', 'films/tall.mp4']
  const { code, stderr } = await lambda(cwd, ['render', 'film', ...CHUNKS, ...words, '-o', 'tall.mp4'])
  expect(code, stderr).toBe(0)
  const { video } = await probeMedia(join(cwd, 'tall.mp4'))
  expect(video[0]).toMatchObject({ width: 180, height: 320, codec: 'h264' })
  expect(await namesBelow('films/tall')).toEqual(['.mp4', '.poster.jpg'])
  const { ffmpeg } = await findFfmpeg()
  await runProcess(ffmpeg, ['-v', 'error', '-i', join(cwd, 'tall.poster.jpg'), join(cwd, 'tall.png')], undefined)
  const { width, height, data } = decodePng(await readFile(join(cwd, 'tall.png')))
  expect([width, height]).toEqual([180, 320])
  const [red = 0, green = 0] = data.subarray(4 * (180 * 10 + 90))
  expect([red > 180, green < 40]).toEqual([true, true])
})

test('a codec that the ffmpeg of the function lacks is refused before the first frame', async () => {
  const cwd = await project()
  const { code, stderr } = await lambda(cwd, [
    'render',
    'film',
    ...CHUNKS,
    '--codec',
    'av1',
    '--output-key',
    'films/av1.mp4',
  ])
  expect(code, stderr).toBe(1)
  expect(stderr).toContain('VID_CODEC_MISSING')
  expect(await namesBelow('films/av1')).toEqual([])
})
