import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { hlsPage, producedVideo, shown, videoOf } from '../support/live-video.ts'
import { startBrowser } from '../support/player-site.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser({ args: ['--autoplay-policy=no-user-gesture-required'] })
})
afterAll(() => browser?.close())

test('a page of an allowed origin plays a video of the render server from its first segment to its end', async () => {
  const { origin, playlist, record, open } = await producedVideo(await hlsPage())
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  await page.goto(`${origin}/play.html?video=${encodeURIComponent(playlist)}`)
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.1)
  expect(await shown(page)).toEqual([1, 0, 0])
  expect((await record()).status).toBe('running')
  await open('go')
  await page.waitForFunction(() => document.querySelector('video')?.ended === true)
  const video = await videoOf(page)
  expect(video.error).toBeUndefined()
  expect(video.duration).toBeCloseTo(4, 1)
  expect(video.soundBytes).toBeGreaterThan(0)
  expect(await shown(page)).toEqual([1, 1, 0])
  await page.waitForFunction(() => document.querySelector('video')?.textTracks[0]?.cues?.length === 2)
  const captions = await page.evaluate(() =>
    [...(document.querySelector('video')?.textTracks ?? [])].map(({ label, language, cues }) => ({
      label,
      language,
      cues: [...(cues ?? [])].map((cue) => [cue.startTime, cue.endTime, (cue as VTTCue).text]),
    })),
  )
  const cues = [
    [0.5, 1.5, 'red, then green'],
    [3, 3.5, 'yellow'],
  ]
  expect(captions).toEqual([{ label: 'English', language: 'en', cues }])
  // Decoded over HTTP: every frame of both sizes.
  const { ffmpeg } = await findFfmpeg()
  const counting = ['-map', '0:v:0', '-map', '0:v:1', '-f', 'framemd5', 'pipe:1']
  const frames = await runProcess(ffmpeg, ['-v', 'error', '-i', playlist, ...counting], undefined)
  expect(frames.match(/^0,/gm)).toHaveLength(120)
  expect(frames.match(/^1,/gm)).toHaveLength(120)
})
