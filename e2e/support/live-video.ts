import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { decodePng } from '@vid/testkit'
import type { Page } from 'puppeteer-core'
import { gatedConfig } from '../../packages/services/producer/src/fixtures/gated-config.ts'
import { startSite } from './player-site.ts'
import { writeTone } from './sound.ts'
import { ASK_EVERY_MS, printed, scratch, start, until } from './vid.ts'

const TALK = 'WEBVTT\n\n00:00.500 --> 00:01.500\nred, then green\n\n00:03.000 --> 00:03.500\nyellow\n'

/** Four segments of a second, each of one colour, with a tone and captions. */
const COLOURS = ['#c80000', '#00c800', '#0000c8', '#c8c800']
const COMPOSITION = `<!doctype html><html><body>
<div data-composition-id="main" data-width="320" data-height="180" data-duration="4" data-no-timeline>
  ${COLOURS.map(
    (colour, second) =>
      `<div class="clip" data-start="${second}" data-duration="1" data-track-index="0" style="position:absolute;inset:0;background:${colour}"></div>`,
  ).join('\n  ')}
  <track kind="captions" src="talk.vtt" srclang="en" label="English" data-start="0">
  <audio src="tone.wav" data-start="0" data-duration="4"></audio>
</div></body></html>`

/**
 * A folder with a config and the composition `colours`, of which one segment is rendered until the others are let go; with
 * another rate than 30 frames a second, renders name it too.
 */
export const liveVideo = async (framesPerSecond = 30) => {
  const folder = await scratch()
  const gate = join(folder, 'gate', 'open')
  await mkdir(join(folder, 'colours'))
  await mkdir(join(folder, 'gate'))
  await writeFile(join(folder, 'colours', 'index.html'), COMPOSITION)
  await writeFile(join(folder, 'colours', 'talk.vtt'), TALK)
  await writeTone(join(folder, 'colours', 'tone.wav'), 440, 4)
  await writeFile(join(folder, 'vid.config.mjs'), gatedConfig(gate, framesPerSecond))
  return { folder, open: (how: 'go' | 'fail') => writeFile(gate, how) }
}

const { resolve } = createRequire(import.meta.url)

const PAGE = `<!doctype html><meta charset="utf-8"><video muted autoplay></video>
<script src="/hls.js"></script>
<script>
  const hls = new Hls({ startPosition: 0 })
  const video = document.querySelector('video')
  // As a viewer does who chooses the captions.
  video.textTracks.onaddtrack = ({ track }) => {
    track.mode = 'showing'
  }
  hls.loadSource(new URLSearchParams(location.search).get('video'))
  hls.attachMedia(video)
</script>`

/** A page `/play.html` that plays the video of its query with hls.js, and the script, by path. */
export const hlsPage = async (): Promise<Readonly<Record<string, string>>> => ({
  '/play.html': PAGE,
  '/hls.js': await readFile(resolve('hls.js/dist/hls.min.js'), 'utf8'),
})

/** Serves pages, and renders the composition by a render server from which they may read; ends with the test. */
export const producedVideo = async (texts: Readonly<Record<string, string>>) => {
  const { folder, open } = await liveVideo()
  const { origin } = await startSite(folder, { texts })
  const server = start(['producer', '--port', '0', '--allowed-origins', origin], { cwd: folder })
  const [, url = ''] = await printed(server, /listening on (\S+)\n/)
  const accepted = await fetch(`${url}/render`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ projectDir: 'colours', format: 'hls', ladder: '180,90', captions: 'track' }),
  })
  const { requestId } = (await accepted.json()) as { requestId: string }
  const record = async () =>
    (await (await fetch(`${url}/render/${requestId}`)).json()) as { status: string; playlistUrl?: string }
  const playlist = await until(async () => (await record()).playlistUrl, undefined, ASK_EVERY_MS)
  return { origin, playlist: `${url}${playlist}`, record, open }
}

/** The state of the video of a page. */
export const videoOf = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video') as HTMLVideoElement
    const { currentTime, duration, ended, error } = video
    // Chromium counts the bytes of sound that it has decoded.
    const soundBytes = (video as { webkitAudioDecodedByteCount?: number }).webkitAudioDecodedByteCount ?? 0
    return { currentTime, duration, ended, error: error?.message, soundBytes }
  })

/** The colour that the video shows. */
export const shown = async (page: Page) => {
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
