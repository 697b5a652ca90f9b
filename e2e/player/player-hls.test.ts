// The element plays HLS videos of a render server, also while they are rendered.
import type { VidPlayer } from '@vid/player'
import { decodePng } from '@vid/testkit'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { firefox, startFirefox, why } from '../support/firefox.ts'
import { producedVideo } from '../support/live-video.ts'
import { hostPage, pausedPicture, startBrowser } from '../support/player-site.ts'

const PATH = '/host.html'

/** Renders the video, and a page with a player. */
const produce = (attributes = 'controls') =>
  producedVideo({ [PATH]: hostPage(`<vid-player ${attributes}></vid-player><script>window.failures = []</script>`) })

/** Opens the page, and gives its player an address. */
const openPlayer = async (browser: Browser, origin: string, src: string): Promise<Page> => {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  await page.goto(`${origin}${PATH}`)
  await page.evaluate((address) => {
    const player = document.querySelector('vid-player') as VidPlayer
    player.addEventListener('error', ({ detail }) => Reflect.get(window, 'failures').push(detail))
    player.setAttribute('src', address)
  }, src)
  return page
}

const waitFor = (page: Page, condition: (player: VidPlayer) => boolean) =>
  page.waitForFunction(`(${condition})(document.querySelector('vid-player'))`)

const read = <T>(page: Page, value: (player: VidPlayer) => T): Promise<Awaited<T>> =>
  page.$eval('vid-player', value as never) as Promise<Awaited<T>>

const failures = (page: Page) => page.evaluate('window.failures') as Promise<{ code: string; message: string }[]>

/** The colour in the middle of a picture of the player, each channel as 0 or 1. */
const middle = (png: Uint8Array): number[] => {
  const { width, height, data } = decodePng(Buffer.from(png))
  const start = (Math.floor(height / 3) * width + Math.floor(width / 2)) * (data.length / (width * height))
  return [...data.subarray(start, start + 3)].map((value) => Number(value > 100))
}

/** The colour that is shown, once it is the expected one. */
const shownColour = async (page: Page, colour: readonly number[]) =>
  middle(await pausedPicture(page, (png) => `${middle(png)}` === `${colour}`))

const RED = [1, 0, 0]
const GREEN = [0, 1, 0]
const BLUE = [0, 0, 1]
const YELLOW = [1, 1, 0]

/** What holds in every browser. */
const plays = (open: () => Browser) => {
  test('a video plays from its first segment while it is rendered, and to its end', async () => {
    const { origin, playlist, record, open: letGo } = await produce('controls muted')
    const page = await openPlayer(open(), origin, playlist)
    await waitFor(page, ({ readyState }) => readyState === 4)
    expect(
      await read(page, ({ videoWidth, videoHeight, fps, frames }) => [videoWidth, videoHeight, fps, frames]),
    ).toEqual([320, 180, 30, 30])
    await read(page, (player) => player.play())
    await waitFor(page, ({ frame }) => frame > 3)
    expect((await record()).status).toBe('running')
    await letGo('go')
    await waitFor(page, ({ ended }) => ended)
    const end = await read(page, ({ paused, frame, frames, currentTime, duration }) => {
      return { paused, frame, frames, currentTime, duration }
    })
    expect(end).toMatchObject({ paused: true, frame: 119, frames: 120 })
    expect(end.duration).toBeCloseTo(4, 1)
    expect(end.currentTime).toBeCloseTo(119 / 30, 3)
    expect(await shownColour(page, YELLOW)).toEqual(YELLOW)
    expect(await failures(page)).toEqual([])
  })

  test('each frame is shown by its number, and a range is repeated', async () => {
    const { origin, playlist, open: letGo } = await produce()
    await letGo('go')
    const page = await openPlayer(open(), origin, playlist)
    await waitFor(page, ({ readyState, frames }) => readyState === 4 && frames === 120)
    // On both sides of each change of the colour.
    const colours = new Map([
      [0, RED],
      [30, GREEN],
      [29, RED],
      [89, BLUE],
      [90, YELLOW],
      [119, YELLOW],
    ])
    for (const [frame, colour] of colours) {
      await read(page, new Function('player', `return player.seekFrame(${frame})`) as never)
      expect(await shownColour(page, colour), `frame ${frame}`).toEqual(colour)
      expect(await read(page, ({ frame, paused }) => [frame, paused])).toEqual([frame, true])
    }
    const shown = await read(page, (player) => {
      player.range = { start: 60, end: 66 }
      player.loop = true
      player.muted = true
      return new Promise<number[]>((resolve) => {
        const frames: number[] = []
        player.addEventListener('frame', ({ detail: { frame } }) => {
          frames.push(frame)
          // Twice from its end to its start.
          if (frames.filter((frame, index) => frame < (frames[index - 1] ?? 0)).length === 2) resolve(frames)
        })
        void player.play()
      })
    })
    expect(shown.slice(1).every((frame) => frame >= 60 && frame < 66)).toBe(true)
    await read(page, (player) => player.pause())
    const captions = await read(page, (player) => {
      for (const track of player.textTracks) track.mode = 'showing'
      return [...player.textTracks].map(({ label, language }) => [label, language])
    })
    expect(captions).toEqual([['English', 'en']])
    await waitFor(page, ({ textTracks }) => textTracks[0]?.cues?.length === 2)
  })

  test('a video whose render failed plays as far as it is there, and has an error', async () => {
    const { origin, playlist, record, open: letGo } = await produce('controls muted autoplay')
    const page = await openPlayer(open(), origin, playlist)
    await waitFor(page, ({ frame }) => frame > 3)
    await letGo('fail')
    await waitFor(page, ({ ended }) => ended)
    expect((await record()).status).toBe('failed')
    const [failure, ...more] = await failures(page)
    expect(more).toEqual([])
    expect(failure).toMatchObject({ code: 'VID_PLAYER_INCOMPLETE', message: expect.stringContaining(playlist) })
    expect(await read(page, ({ frames }) => frames < 120 && frames % 30 === 0)).toBe(true)
    // One that is opened afterwards says so as well.
    const again = await openPlayer(open(), origin, playlist)
    await waitFor(again, ({ error }) => error !== null)
    expect(await read(again, ({ error, readyState }) => [error?.code, readyState])).toEqual([
      'VID_PLAYER_INCOMPLETE',
      4,
    ])
  })
}

describe('in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  plays(() => browser)

  test('a page with a composition alone loads no hls.js, and an address without a video is an error', async () => {
    const { origin, playlist } = await produce()
    const page = await openPlayer(browser, origin, '/colours/index.html')
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    await waitFor(page, ({ readyState }) => readyState === 4)
    expect(scripts.filter((url) => url.includes('hls-video'))).toEqual([])
    await read(
      page,
      new Function('player', `player.src = ${JSON.stringify(playlist.replace('index', 'none'))}`) as never,
    )
    await waitFor(page, ({ error }) => error !== null)
    expect(scripts.filter((url) => url.includes('hls-video'))).toHaveLength(1)
    expect(await failures(page)).toMatchObject([
      { code: 'VID_PLAYER_VIDEO', message: expect.stringContaining('the server answered 404') },
    ])
  })
})

describe.skipIf(!firefox)(`in Firefox${why}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startFirefox()
  })
  afterAll(() => browser?.close())

  plays(() => browser)
})
