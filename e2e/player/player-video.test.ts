import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodePng } from '@vid/testkit'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  hostPage,
  loadPlayer,
  openPage,
  pausedPicture,
  pictureOf,
  prepared,
  seekFrame,
  startBrowser,
  startSite,
} from '../support/player-site.ts'
import { BLOCKS, makeSources } from '../support/sources.ts'
import { scratch } from '../support/vid.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** Frame n of the composition shows frame n + 15 of the source, from frame 15 on. */
const COMPOSITION = `<!doctype html><html><body>
<div data-composition-id="main" data-width="320" data-height="180" data-duration="3" data-no-timeline style="background:#000">
  <video src="alpha.webm" muted autoplay data-start="0.5" data-duration="2" data-media-start="1" style="width:320px;height:180px"></video>
</div></body></html>`

const makeProject = async (): Promise<string> => {
  const project = join(await scratch(), 'video')
  await mkdir(project)
  await writeFile(join(project, 'index.html'), COMPOSITION)
  await makeSources(project, ['alpha.webm'])
  return project
}

/** The number in the blocks of a source's picture. */
const numberIn = (png: Uint8Array): number => {
  const { data, width } = decodePng(png)
  const { left, step, top } = BLOCKS
  return Array.from({ length: 8 }, (_, bit) => {
    const offset = ((top + 20) * width + left + bit * step + 8) * 4
    return (data[offset] ?? 0) > 128 ? 1 << bit : 0
  }).reduce((sum, bit) => sum + bit, 0)
}

/** Polls the number that a paused player shows until it is `number`. */
const pausedNumber = async (page: Page, number: number): Promise<number> =>
  numberIn(await pausedPicture(page, (png) => numberIn(png) === number))

const frameOf = (page: Page) => page.evaluate(() => document.querySelector('vid-player')?.frame ?? -1)

/** Plays until a frame is reached. */
const playTo = (page: Page, frame: number) =>
  page.evaluate(
    (frame) =>
      new Promise<void>((resolve) => {
        const player = document.querySelector('vid-player')
        player?.addEventListener('frame', ({ detail }) => detail.frame >= frame && resolve())
        void player?.play()
      }),
    frame,
  )

/** The last frame at which the video of a playing composition is looked at, before its window ends. */
const LAST_LOOK = 70

/**
 * Whether a player that plays shows a frame of its video that is near its own, in one of its pictures: the video's place
 * is corrected when it is further away, and on a busy machine a picture takes some frames to be drawn and taken.
 */
const showsItsFrame = async (page: Page): Promise<boolean> => {
  for (;;) {
    const from = await frameOf(page)
    const shown = numberIn(await pictureOf(page)) - 15
    const to = await frameOf(page)
    if (shown >= from - 8 && shown <= to + 8) return true
    if (to >= LAST_LOOK) return false
  }
}

test('without a server the browser decodes: the frame of a paused video is right, and it goes along while it plays', async () => {
  const project = await makeProject()
  const { origin, otherOrigin } = await startSite(project, {
    texts: { '/played.html': await prepared(project), '/host.html': hostPage('<vid-player></vid-player>') },
  })
  const page = await openPage(browser, `${origin}/host.html`, project)
  await loadPlayer(page, `${otherOrigin}/played.html`)
  for (const frame of [30, 20, 45, 74]) {
    await seekFrame(page, frame)
    expect(await pausedNumber(page, frame + 15), `frame ${frame}`).toBe(frame + 15)
  }
  await seekFrame(page, 10)
  await playTo(page, 30)
  expect(await showsItsFrame(page)).toBe(true)
  await page.evaluate(() => document.querySelector('vid-player')?.pause())
  const paused = await frameOf(page)
  await seekFrame(page, paused)
  expect(await pausedNumber(page, paused + 15)).toBe(paused + 15)
})

test('with a server, paused videos show the pictures of a render, also after they have played', async () => {
  const project = await makeProject()
  const starts: number[] = []
  const { origin, otherOrigin } = await startSite(project, {
    texts: {
      '/played.html': await prepared(project, 'index.html', { mediaBase: '/.vid/' }),
      '/host.html': hostPage('<vid-player></vid-player>'),
    },
    async answer(path, body, response) {
      const [, colour] = /^\/\.vid\/picture\/(\d+)\.svg$/.exec(path) ?? []
      if (path === '/.vid/facts?src=alpha.webm')
        response.end(JSON.stringify({ duration: 4, width: 320, height: 180, hasAudio: false }))
      else if (path === '/.vid/shows') {
        const { start, media } = JSON.parse(body)
        expect(media).toMatchObject([{ id: 'm0', src: 'alpha.webm', start: 0.5, mediaStart: 1 }])
        starts.push(start)
        response.end(JSON.stringify([{ id: 'm0', first: start, urls: [`/.vid/picture/${start}.svg`] }]))
      } else if (colour) {
        response.setHeader('content-type', 'image/svg+xml')
        response.end(
          `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><path fill="rgb(${colour},0,200)" d="M0 0h320v180H0z"/></svg>`,
        )
      } else return false
      return true
    },
  })
  const page = await openPage(browser, `${origin}/host.html`, project)
  await loadPlayer(page, `${otherOrigin}/played.html`)
  const colour = async () => {
    const { data, width } = decodePng(await pictureOf(page))
    return [...data.subarray((90 * width + 160) * 4, (90 * width + 160) * 4 + 3)]
  }
  for (const frame of [40, 25]) {
    await seekFrame(page, frame)
    await expect.poll(colour).toEqual([frame, 0, 200])
  }
  await playTo(page, 35)
  await page.evaluate(() => document.querySelector('vid-player')?.pause())
  const paused = await frameOf(page)
  await seekFrame(page, paused)
  await expect.poll(colour).toEqual([paused, 0, 200])
  expect(starts).toContain(paused)
})
