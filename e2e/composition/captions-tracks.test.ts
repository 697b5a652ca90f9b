import { join } from 'node:path'
import type { VidPlayer } from '@vid/player'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostPage, openPage, prepared, startBrowser, startSite } from '../support/player-site.ts'
import { scratch, vidInProcess } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const FILES = {
  'index.html': `<!doctype html><html><head><style>#root { background: #004000 }</style></head><body>
  <div id="root" data-composition-id="main" data-width="320" data-height="180" data-duration="3">
    <track kind="captions" src="words/talk.vtt" srclang="en" label="English" data-start="0.5">
    <track kind="subtitles" src="words/reden.vtt" srclang="de" label="Deutsch">
    <div data-composition-src="scene/part.html" data-start="1" data-duration="1"></div>
  </div></body></html>`,
  'scene/part.html': `<!doctype html><html><body>
  <div data-composition-id="part" data-width="320" data-height="180">
    <track kind="captions" src="part.vtt" srclang="fr">
  </div></body></html>`,
  'words/talk.vtt': 'WEBVTT\n\nfirst\n00:00.000 --> 00:01.000\nR&amp;D <i>now</i>\n\n00:02.000 --> 00:09.000\nLater\n',
  'words/reden.vtt': 'WEBVTT\n\n00:00.000 --> 00:02.500\nLos\n',
  'scene/part.vtt': 'WEBVTT\n\n00:00.250 --> 00:05.000\nBonjour\n',
}

/** What an element with text tracks says of them, once there are `count` cues. */
const readTracks = async (page: Page, selector: string, count: number) => {
  const tracks = await page.waitForFunction(
    (name, total) => {
      const { textTracks } = document.querySelector(name) as HTMLVideoElement | VidPlayer
      for (const track of textTracks) if (track.mode === 'disabled') track.mode = 'hidden'
      const list = [...textTracks].map(({ kind, label, language, cues }) => ({
        kind,
        label,
        language,
        cues: [...(cues ?? [])].map((cue) => [cue.startTime, cue.endTime, (cue as VTTCue).getCueAsHTML().textContent]),
      }))
      return list.flatMap(({ cues }) => cues).length === total && list
    },
    {},
    selector,
    count,
  )
  return tracks.jsonValue()
}

const ENGLISH = [
  [0.5, 1.5, 'R&D now'],
  [2.5, 3, 'Later'],
]

test('a player has the tracks of its composition as text tracks, and shows one that is chosen', async () => {
  const project = await projectOf(FILES)
  const { origin, otherOrigin } = await startSite(project, {
    texts: {
      '/index.html': await prepared(project),
      '/host.html': hostPage('<vid-player controls></vid-player>'),
    },
  })
  const page = await openPage(browser, `${origin}/host.html`, project)
  await page.evaluate(
    (src) => document.querySelector('vid-player')?.setAttribute('src', src),
    `${otherOrigin}/index.html`,
  )
  expect(await readTracks(page, 'vid-player', 4)).toEqual([
    { kind: 'captions', label: 'English', language: 'en', cues: ENGLISH },
    { kind: 'subtitles', label: 'Deutsch', language: 'de', cues: [[0, 2.5, 'Los']] },
    { kind: 'captions', label: '', language: 'fr', cues: [[1.25, 2, 'Bonjour']] },
  ])
  await page.waitForFunction(() => document.querySelector('vid-player')?.readyState === 4)
  const shownAt = (seconds: number, ...showing: readonly string[]) =>
    page.evaluate(
      async (time, languages) => {
        const player = document.querySelector('vid-player')
        if (!player) throw new Error('there is no player')
        for (const track of player.textTracks) track.mode = languages.includes(track.language) ? 'showing' : 'hidden'
        await player.seekFrame(Math.round(time * player.fps))
        return [...(player.shadowRoot?.querySelectorAll('[part=caption]') ?? [])].map((box) => box.textContent)
      },
      seconds,
      showing,
    )
  expect(await shownAt(1, 'en')).toEqual(['R&D now'])
  expect(await shownAt(1.5, 'en')).toEqual([])
  expect(await shownAt(1.5, 'de', 'fr')).toEqual(['Los', 'Bonjour'])
  expect(await shownAt(1.5)).toEqual([])
  // The button goes from none to each language, and back to none.
  const press = async () => {
    await page.click('vid-player >>> button[aria-label^="Captions"]')
    return page.evaluate(() => {
      const { textTracks = [] } = document.querySelector('vid-player') ?? {}
      return [...textTracks].flatMap(({ mode, language }) => (mode === 'showing' ? language : []))
    })
  }
  expect([await press(), await press(), await press(), await press()]).toEqual([['en'], ['de'], ['fr'], []])
})

test("the browser's own video shows the files beside a rendered video as text tracks", async () => {
  const project = await projectOf(FILES)
  const folder = await scratch()
  const run = await vidInProcess([
    'render',
    project,
    '-o',
    join(folder, 'film.webm'),
    '--captions',
    'sidecar',
    '-q',
    'draft',
  ])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const tracks = ['en', 'de', 'fr'].map((tag) => `<track kind="captions" src="film.${tag}.vtt" srclang="${tag}">`)
  const { origin } = await startSite(folder, {
    texts: { '/host.html': `<!doctype html><body><video src="film.webm">${tracks.join('')}</video></body>` },
  })
  const page = await openPage(browser, `${origin}/host.html`, project)
  const read = await readTracks(page, 'video', 4)
  expect((read as { cues: unknown }[]).map(({ cues }) => cues)).toEqual([
    ENGLISH.map(([start, end, text]) => [start, end, String(text)]),
    [[0, 2.5, 'Los']],
    [[1.25, 2, 'Bonjour']],
  ])
})
