// Players that nobody here wrote play an HLS video from a web server, where they are installed.
import { access, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runProcess } from '@vid/ffmpeg'
import puppeteer from 'puppeteer-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { firefox, why } from '../support/firefox.ts'
import { hlsPage, liveVideo, shown, videoOf } from '../support/live-video.ts'
import { startSite } from '../support/player-site.ts'
import { scratch, vid } from '../support/vid.ts'

/** The path of an installed program; undefined if there is none. */
const programOf = async (name: string): Promise<string | undefined> => {
  for (const folder of (process.env.PATH ?? '').split(':')) {
    const path = join(folder, name)
    const exists = await access(path).then(
      () => true,
      () => false,
    )
    if (exists) return path
  }
  return undefined
}

const mpv = await programOf('mpv')
const gstreamer = await programOf('gst-launch-1.0')
const whyNot = (name: string, path: string | undefined) => (path ? '' : ` (skipped: ${name} is not installed)`)

/** Renders the video in two sizes, and serves its folder beside a page that plays it. */
const serve = async () => {
  const { folder, open } = await liveVideo()
  await open('go')
  const flags = ['--format', 'hls', '--ladder', '180,90', '--captions', 'track', '-o', 'out']
  const run = await vid(['render', 'colours', ...flags], { cwd: folder })
  expect(run.code, run.stderr).toBe(0)
  return startSite(join(folder, 'out'), { texts: await hlsPage() })
}

describe.skipIf(!firefox)(`hls.js in Firefox${why}`, () => {
  test('plays to the end, with sound and captions', async () => {
    const { origin } = await serve()
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: firefox ?? '',
      headless: true,
      extraPrefsFirefox: { 'media.autoplay.default': 0 },
      timeout: BROWSER_PATIENCE_MS,
    })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    page.setDefaultTimeout(BROWSER_PATIENCE_MS)
    await page.goto(`${origin}/play.html?video=/index.m3u8`)
    await page.waitForFunction(() => document.querySelector('video')?.ended === true)
    const { error, duration } = await videoOf(page)
    expect(error).toBeUndefined()
    expect(duration).toBeCloseTo(4, 1)
    expect(await shown(page)).toEqual([1, 1, 0])
    await page.waitForFunction(() => document.querySelector('video')?.textTracks[0]?.cues?.length === 2)
  })
})

describe.skipIf(!mpv)(`mpv${whyNot('mpv', mpv)}`, () => {
  test('shows every frame and plays the sound', async () => {
    const { origin } = await serve()
    const into = await scratch()
    const sound = join(into, 'sound.wav')
    const pictures = join(into, 'pictures')
    const video = ['--vo=image', `--vo-image-outdir=${pictures}`]
    const audio = ['--ao=pcm', `--ao-pcm-file=${sound}`]
    const run = ['--no-config', '--untimed', '--really-quiet', ...video, ...audio, `${origin}/index.m3u8`]
    await runProcess(mpv ?? '', run, undefined)
    expect(await readdir(pictures)).toHaveLength(120)
    expect((await readFile(sound)).subarray(44).some((value) => value !== 0)).toBe(true)
  })
})

describe.skipIf(!gstreamer)(`GStreamer${whyNot('gst-launch-1.0', gstreamer)}`, () => {
  test('decodes every frame and the sound', async () => {
    const { origin } = await serve()
    const into = await scratch()
    const sinks = ['video', 'audio'].map((kind) => `${kind}-sink=filesink location=${join(into, kind)}`)
    const run = ['-q', 'playbin3', `uri=${origin}/index.m3u8`, ...sinks]
    await runProcess(gstreamer ?? '', run, undefined)
    const { size } = await stat(join(into, 'video'))
    expect(size).toBe(120 * 320 * 180 * 1.5)
    expect((await readFile(join(into, 'audio'))).some((value) => value !== 0)).toBe(true)
  })
})
