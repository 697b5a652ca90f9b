import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { longTest } from '../../scripts/dev/part-of.ts'
import { liveVideo, shown, videoOf } from '../support/live-video.ts'
import { startBrowser } from '../support/player-site.ts'
import { printed, start } from '../support/vid.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser({ args: ['--autoplay-policy=no-user-gesture-required'] })
})
afterAll(() => browser?.close())

const renderLive = async () => {
  const { folder, open } = await liveVideo()
  const output = join(folder, 'out')
  const run = start(['render', 'colours', '--format', 'hls', '--serve', '-o', output], { cwd: folder })
  const [, url = ''] = await printed(run, /plays at (http:\S+)/)
  return { run, url, output, open }
}

const openPage = async (url: string): Promise<Page> => {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  await page.goto(url)
  return page
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

longTest('a request without the token of the address gets no video', async () => {
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
