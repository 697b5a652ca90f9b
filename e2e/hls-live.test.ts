import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodePng } from '@vid/testkit'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startBrowser } from './support/player-site.ts'
import { writeTone } from './support/sound.ts'
import { printed, scratch, start } from './support/vid.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser({ args: ['--autoplay-policy=no-user-gesture-required'] })
})
afterAll(() => browser?.close())

/** Four segments of a second, each of one colour, with a tone. */
const COLOURS = ['#c80000', '#00c800', '#0000c8', '#c8c800']
const COMPOSITION = `<!doctype html><html><body>
<div data-composition-id="main" data-width="320" data-height="180" data-duration="4" data-no-timeline>
  ${COLOURS.map(
    (colour, second) =>
      `<div class="clip" data-start="${second}" data-duration="1" data-track-index="0" style="position:absolute;inset:0;background:${colour}"></div>`,
  ).join('\n  ')}
  <audio src="tone.wav" data-start="0" data-duration="4"></audio>
</div></body></html>`

/** Holds every segment after the first back until a file says what to do with them. */
const config = (gate: string) => `import { existsSync, readFileSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

const gate = ${JSON.stringify(gate)}
const opened = (signal) =>
  new Promise((resolve, reject) => {
    const watcher = watch(dirname(gate), look)
    signal.addEventListener('abort', () => end(() => reject(signal.reason)))
    function end(then) {
      watcher.close()
      then()
    }
    function look() {
      if (existsSync(gate)) end(resolve)
    }
    look()
  })

const gatedSegments = {
  name: 'gated-segments',
  role: 'plugin',
  apiVersion: 1,
  options: {},
  setup(hooks) {
    hooks.segment.tapPromise({ name: 'gated-segments', stage: -100 }, async ({ segment, signal }) => {
      if (segment.index === 0) return undefined
      await opened(signal)
      if (segment.index === 3 && readFileSync(gate, 'utf8') === 'fail') throw new Error('the disk went away')
      return undefined
    })
  },
}

export default { plugins: [gatedSegments], render: { segmentFrames: 30, quality: 'draft', workers: 1 } }
`

const renderLive = async () => {
  const folder = join(await scratch(), 'colours')
  const gate = join(folder, '..', 'gate', 'open')
  await mkdir(folder)
  await mkdir(join(gate, '..'))
  await writeFile(join(folder, 'index.html'), COMPOSITION)
  await writeTone(join(folder, 'tone.wav'), 440, 4)
  await writeFile(join(folder, 'vid.config.mjs'), config(gate))
  const output = join(folder, '..', 'out')
  const run = start(['render', folder, '--format', 'hls', '--serve', '-o', output], { cwd: folder })
  const [, url = ''] = await printed(run, /plays at (http:\S+)/)
  return { run, url, output, open: (how: 'go' | 'fail') => writeFile(gate, how) }
}

const openPage = async (url: string): Promise<Page> => {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  page.setDefaultTimeout(120_000)
  await page.goto(url)
  return page
}

const videoOf = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video') as HTMLVideoElement
    const { currentTime, duration, ended, error } = video
    // Chromium counts the bytes of sound that it has decoded.
    const soundBytes = (video as { webkitAudioDecodedByteCount?: number }).webkitAudioDecodedByteCount ?? 0
    return { currentTime, duration, ended, error: error?.message, soundBytes }
  })

/** The colour that the video shows. */
const shown = async (page: Page) => {
  const url = await page.evaluate(() => {
    const video = document.querySelector('video') as HTMLVideoElement
    const canvas = document.createElement('canvas')
    canvas.width = 8
    canvas.height = 8
    canvas.getContext('2d')?.drawImage(video, 0, 0, 8, 8)
    return canvas.toDataURL('image/png')
  })
  const { data } = decodePng(Buffer.from(url.split(',')[1] ?? '', 'base64'))
  return [...data.subarray(0, 3)].map((value) => Math.round(value / 200))
}

test('a browser plays the first segment before the others are rendered, and all of them to the end', async () => {
  const { run, url, output, open } = await renderLive()
  const page = await openPage(url)
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.1)
  expect(await shown(page)).toEqual([1, 0, 0])
  expect(existsSync(output)).toBe(false)
  await open('go')
  await page.waitForFunction(() => document.querySelector('video')?.ended === true)
  const video = await videoOf(page)
  expect(video.error).toBeUndefined()
  expect(video.duration).toBeCloseTo(4, 1)
  expect(video.currentTime).toBeCloseTo(4, 1)
  expect(video.soundBytes).toBeGreaterThan(0)
  expect(await shown(page)).toEqual([1, 1, 0])
  await printed(run, /Ctrl-C ends the page/)
  expect(await readFile(join(output, '180p.m3u8'), 'utf8')).toContain('#EXT-X-PLAYLIST-TYPE:VOD')
  run.child.kill('SIGINT')
  await run.done
  await expect(fetch(url)).rejects.toThrow()
})

test('a render that fails ends with its error, leaves what was played, and puts nothing at its path', async () => {
  const { run, url, output, open } = await renderLive()
  const page = await openPage(url)
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.1)
  await open('fail')
  const { code, stderr } = await run.done
  expect(stderr).toContain('the disk went away')
  expect(code).not.toBe(0)
  expect(existsSync(output)).toBe(false)
  expect((await videoOf(page)).error).toBeUndefined()
})

test('a request without the token of the address gets no video', async () => {
  const { run, url, open } = await renderLive()
  const { origin } = new URL(url)
  for (const path of ['/', '/other/', '/other/player.js', '/other/state?shown='])
    expect((await fetch(`${origin}${path}`)).status, path).toBe(404)
  const state = await fetch(`${url}state?shown=`)
  const { address } = (await state.json()) as { address: string }
  const playlist = await fetch(`${url}${address}`)
  expect(playlist.headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
  expect(await playlist.text()).toContain('180p.m3u8')
  for (const path of ['video/..%2f..%2fpasswd', `${address}.partial`, '..%2f/index.m3u8'])
    expect((await fetch(`${url}${path}`)).status, path).toBe(404)
  await open('go')
  await printed(run, /Ctrl-C ends the page/)
})
