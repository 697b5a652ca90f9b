import { once } from 'node:events'
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import type { Page } from 'puppeteer-core'
import { expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { longTest } from '../../scripts/dev/part-of.ts'
import { prepareState } from '../support/cloud-state.ts'
import { hlsPage, liveVideo, shown, videoOf } from '../support/live-video.ts'
import { startBrowser, startSite } from '../support/player-site.ts'
import { textTracks } from '../support/text-tracks.ts'
import { ASK_EVERY_MS, here, printed, scratch, start, until, vidInProcess } from '../support/vid.ts'

const PARTS = [0, 1, 2, 3].map((number) => `1080p-0000${number}.m4s`)

/** Frames of the size that the API has at least take long. */
const FPS = 5
const RENDER = ['colours', '-q', 'draft', '--fps', String(FPS)] as const

/** The MD5 of each frame of a video, in its largest size. */
const framesOf = async (input: string): Promise<string[]> => {
  const { ffmpeg } = await findFfmpeg()
  const text = await runProcess(
    ffmpeg,
    ['-v', 'error', '-i', input, '-map', '0:v:0', '-f', 'framemd5', 'pipe:1'],
    undefined,
  )
  return text.split('\n').flatMap((line) => (line.startsWith('0,') ? [line.split(',').at(-1)?.trim() ?? ''] : []))
}

const filesOf = async (folder: string) =>
  Promise.all((await readdir(folder)).sort().map(async (name) => [name, await readFile(join(folder, name), 'base64')]))

const CONFIG = `import cloud from '@vid/target-cloud'
export default { targets: { cloud: cloud({ pollSeconds: 0.2, resolution: '1080p' }) } }`

/** A hosted API that holds back segments of the video `colours`, and the folder of a client with that video. */
const startHosted = async (...flags: string[]) => {
  const { folder, open } = await liveVideo(FPS)
  const cwd = await scratch()
  await symlink(here('../node_modules'), join(cwd, 'node_modules'))
  await cp(join(folder, 'colours'), join(cwd, 'colours'), { recursive: true })
  await writeFile(join(cwd, 'vid.config.mjs'), CONFIG)
  const serve = async (port: number) => {
    const words = ['cloud', 'serve', '--port', String(port), '--state', 'state', '--json', ...flags]
    const server = start(words, { cwd: folder })
    const [line] = await printed(server, /^.*"cloud-start".*\n/m)
    return { child: server.child, ...(JSON.parse(line) as { url: string; port: number }) }
  }
  await prepareState(folder)
  const server = await serve(0)
  const admin = (...words: string[]) => vidInProcess(['cloud', ...words, '--state', 'state'], { cwd: folder })
  await admin('accounts', 'create', '--email', 'mia@example.com')
  const keys = await admin('keys', 'create', 'mia@example.com')
  const key = keys.stdout.trim()
  const env = { HOME: cwd, HOST_API_URL: server.url, HOST_API_KEY: key }
  return { cwd, env, open, server, serve }
}

/** Publishes a render, and expects its page to play it in a browser that cannot play HLS by a policy that allows no more. */
const expectPlayed = async (env: Readonly<Record<'HOST_API_URL' | 'HOST_API_KEY', string>>) => {
  const call = async (path: string, json?: object) => {
    const headers = { 'x-api-key': env.HOST_API_KEY, 'content-type': 'application/json' }
    const init = json ? { method: 'POST', body: JSON.stringify(json) } : {}
    const reply = await fetch(`${env.HOST_API_URL}/v3/vid/${path}`, { headers, ...init })
    return ((await reply.json()) as { data: unknown }).data
  }
  const [{ render_id }] = (await call('renders')) as [{ render_id: string }]
  const { url } = (await call('publications', { render_id, play: false })) as { url: string }
  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  await page.evaluateOnNewDocument(() => {
    HTMLMediaElement.prototype.canPlayType = () => ''
  })
  await page.goto(url)
  await page.waitForFunction(() => document.querySelector('video')?.src.startsWith('blob:'))
  await page.evaluate(async () => {
    const video = document.querySelector('video') as HTMLVideoElement
    video.muted = true
    await video.play()
  })
  await page.waitForFunction(() => document.querySelector('video')?.ended === true)
  const { error, duration, soundBytes } = await videoOf(page)
  expect(error).toBeUndefined()
  expect(duration).toBeCloseTo(4, 1)
  expect(soundBytes).toBeGreaterThan(0)
  expect(await shown(page)).toEqual([1, 1, 0])
  expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([])
}

longTest(
  'an hls video of the hosted API plays from its first segment on, through a server that is killed, to its end',
  async () => {
    const { cwd, env, open, server, serve } = await startHosted()
    const words = ['cloud', 'render', ...RENDER, '--captions', 'track', '--poll-interval', '0.2', '--format', 'hls']
    const run = start([...words, '--ladder', '360', '-o', 'out'], { cwd, env })
    const [, url = ''] = await printed(run, /plays while it is rendered: (\S+)\n/)
    const linesOf = async () => {
      const reply = await fetch(new URL('1080p.m3u8', url))
      return reply.ok ? (await reply.text()).trimEnd().split('\n') : []
    }
    const partsOf = (lines: readonly string[]) => lines.filter((line) => line.endsWith('.m4s'))
    const growing = await linesOf()
    expect([partsOf(growing), growing.at(-1)]).toEqual([PARTS.slice(0, 1), PARTS[0]])

    server.child.kill('SIGKILL')
    await once(server.child, 'exit')
    await serve(server.port)
    expect(await linesOf()).toEqual(growing)
    await open('go')
    const counts = new Set<number>()
    const ended = await until(
      async () => {
        const lines = await linesOf()
        const parts = partsOf(lines)
        // In order, none missing, none twice, at any time.
        expect(parts).toEqual(PARTS.slice(0, parts.length))
        counts.add(parts.length)
        return lines.at(-1) === '#EXT-X-ENDLIST' ? parts : undefined
      },
      undefined,
      ASK_EVERY_MS,
    )
    expect(ended).toEqual(PARTS)
    expect(counts).not.toContain(0)

    const { code, stdout, stderr } = await run.done
    expect([code, stdout], stderr).toEqual([0, 'out\n'])
    await expectPlayed(env)
    const frames = await framesOf(join(cwd, 'out', 'index.m3u8'))
    expect(frames).toHaveLength(4 * FPS)
    expect(await framesOf(url)).toEqual(frames)
    expect(await (await fetch(new URL('captions-0-00000.vtt', url))).text()).toContain('red, then green')
  },
)

longTest('an hls video of the hosted API has the frames of an mp4, and the files that the target fetches', async () => {
  const { cwd, env, open } = await startHosted()
  await open('go')
  const words = [...RENDER, '--captions', 'track']
  const hls = ['--format', 'hls', '--ladder', '360', '-o']
  for (const line of [
    ['cloud', 'render', ...words, '--poll-interval', '0.2', ...hls, 'out'],
    ['cloud', 'render', ...words, '--poll-interval', '0.2', '-o', 'far.mp4'],
    ['render', ...words, '--target', 'cloud', ...hls, 'target'],
  ])
    expect(await vidInProcess(line, { cwd, env })).toMatchObject({ code: 0 })
  const frames = await framesOf(join(cwd, 'far.mp4'))
  expect(frames).toHaveLength(4 * FPS)
  expect(await framesOf(join(cwd, 'out', 'index.m3u8'))).toEqual(frames)
  expect(await textTracks(join(cwd, 'far.mp4'))).toEqual([['mov_text', 'eng', 'English']])
  expect(await filesOf(join(cwd, 'target'))).toEqual(await filesOf(join(cwd, 'out')))
})

/** A page that leaves the video of its query to the browser's own player. */
const PLAIN = `<!doctype html><video muted autoplay></video>
<script>document.querySelector('video').src = new URLSearchParams(location.search).get('video')</script>`

test('a page of an allowed origin plays an hls video of the hosted API from its first segment to its end', async () => {
  const site = await startSite(await scratch(), { texts: { ...(await hlsPage()), '/plain.html': PLAIN } })
  const { cwd, env, open } = await startHosted('--allowed-origins', site.origin)
  const run = start(['cloud', 'render', ...RENDER, '--format', 'hls', '-o', 'out'], { cwd, env })
  const [, url = ''] = await printed(run, /plays while it is rendered: (\S+)\n/)
  const browser = await startBrowser({ args: ['--autoplay-policy=no-user-gesture-required'] })
  onTestFinished(() => browser.close())
  const play = async (path: string) => {
    const page = await browser.newPage()
    page.setDefaultTimeout(BROWSER_PATIENCE_MS)
    await page.goto(`${site.origin}${path}?video=${encodeURIComponent(url)}`)
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.1)
    return page
  }
  const toEnd = async (page: Page) => {
    await page.waitForFunction(() => document.querySelector('video')?.ended === true)
    const { error, duration, soundBytes } = await videoOf(page)
    expect(error).toBeUndefined()
    expect(duration).toBeCloseTo(4, 1)
    expect(soundBytes).toBeGreaterThan(0)
  }
  const page = await play('/play.html')
  expect(await shown(page)).toEqual([1, 0, 0])
  await open('go')
  await toEnd(page)
  expect(await shown(page)).toEqual([1, 1, 0])
  expect((await run.done).code).toBe(0)
  // Chromium's own player stops where a playlist ends at present.
  await toEnd(await play('/plain.html'))
})
