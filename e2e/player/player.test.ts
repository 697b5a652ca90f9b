import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodePng } from '@vid/testkit'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  differenceFrom,
  hostPage,
  loadPlayer,
  openPage,
  openPlayer,
  pausedPicture,
  prepared,
  seekFrame,
  startBrowser,
  startSite,
} from '../support/player-site.ts'
import { type Difference, differenceOf } from '../support/same-picture.ts'
import { here, scratch, vid } from '../support/vid.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** Stills of a project by second, as the command writes them. */
const snapshots = async (project: string, seconds: readonly number[]): Promise<Uint8Array[]> => {
  const folder = await scratch()
  const times = seconds.map((second) => `${second}s`).join(',')
  const { code, stderr } = await vid(['snapshot', project, '-o', folder, '--at', times])
  expect(code, stderr).toBe(0)
  return Promise.all(seconds.map((second) => readFile(join(folder, `snapshot_${second}s.png`))))
}

test('a paused frame is the picture of a snapshot, in whatever order frames are shown', async () => {
  const project = here('../examples/hello')
  const page = await openPlayer(browser, project)
  const times = [2.5, 5, 4, 1]
  const stills = await snapshots(project, times)
  for (const [index, time] of times.entries()) {
    await seekFrame(page, time * 30)
    // An iframe is drawn into a layer of its own, and rounded once more where something is half transparent.
    const isNear = ({ most, pixels }: Difference) => most <= 1 && pixels < 20
    const difference = await differenceFrom(page, stills[index] ?? new Uint8Array(), isNear)
    expect(isNear(difference), `at ${time} s: ${JSON.stringify(difference)}`).toBe(true)
  }
})

test('animations that have ended run again when an earlier frame is shown', async () => {
  const project = join(await scratch(), 'ended')
  await mkdir(project)
  await writeFile(
    join(project, 'index.html'),
    `<!doctype html><html><head><style>
      i { position: absolute; width: 40px; height: 40px; background: #fff; transform: translateX(200px) }
      #css { animation: slide 0.5s linear } #kept { top: 50px; animation: slide 0.5s linear both }
      @keyframes slide { from { transform: translateX(0) } to { transform: translateX(100px) } }
    </style></head><body>
    <div data-composition-id="main" data-width="320" data-height="180" data-duration="2" style="background:#123">
      <i id="css"></i><i id="kept"></i><i id="script" style="top:100px"></i>
    </div>
    <script>document.getElementById('script').animate({ opacity: [0, 1] }, 600)</script></body></html>`,
  )
  const page = await openPlayer(browser, project)
  const times = [1.5, 0.2]
  const stills = await snapshots(project, times)
  expect(differenceOf(stills[0] ?? new Uint8Array(), stills[1] ?? new Uint8Array()).pixels).toBeGreaterThan(1000)
  for (const [index, time] of times.entries()) {
    await seekFrame(page, time * 30)
    expect(await differenceFrom(page, stills[index] ?? new Uint8Array()), `at ${time} s`).toEqual({
      pixels: 0,
      most: 0,
    })
  }
})

test('a page that keeps state is replayed to an earlier frame, and goes on from there', async () => {
  const project = here('projects/clockwork')
  const page = await openPlayer(browser, project)
  const progress = await page.evaluate(() => {
    const eventTypes: string[] = []
    Object.assign(globalThis, { eventTypes })
    const player = document.querySelector('vid-player')
    for (const type of ['seeking', 'progress', 'seeked'] as const)
      player?.addEventListener(type, () => eventTypes.at(-1) !== type && eventTypes.push(type))
    return eventTypes
  })
  expect(progress).toEqual([])
  const times = [2, 1, 3]
  const stills = await snapshots(project, times)
  for (const [index, time] of times.entries()) {
    await seekFrame(page, time * 30)
    expect(await differenceFrom(page, stills[index] ?? new Uint8Array())).toEqual({
      pixels: 0,
      most: 0,
    })
  }
  const round = ['seeking', 'progress', 'seeked']
  expect(await page.evaluate('eventTypes')).toEqual([...round, ...round, ...round])
  expect(page.frames()).toHaveLength(2)
})

test('it plays in real time to its end, with the events of a video', async () => {
  const page = await openPlayer(browser, here('projects/windows'))
  const played = await page.evaluate(
    () =>
      new Promise<{ types: string[]; frames: number[]; seconds: number; ended: boolean; paused: boolean }>(
        (resolve) => {
          const player = document.querySelector('vid-player')
          if (!player) throw new Error('there is no player')
          const types: string[] = []
          const frames: number[] = []
          let began = 0
          for (const type of ['play', 'playing', 'pause', 'ended', 'error'])
            player.addEventListener(type, () => types.push(type))
          player.addEventListener('frame', ({ detail }) => frames.push(detail.frame))
          player.addEventListener('playing', () => {
            began = performance.now()
          })
          player.addEventListener('ended', () => {
            const { ended, paused } = player
            resolve({ types, frames, seconds: (performance.now() - began) / 1000, ended, paused })
          })
          void player.play()
        },
      ),
  )
  expect(played).toMatchObject({ types: ['play', 'playing', 'pause', 'ended'], ended: true, paused: true })
  expect(played.frames).toEqual(played.frames.toSorted((a, b) => a - b))
  expect(played.frames.at(-1)).toBe(59)
  // Two seconds, less what it took to show the first picture; a slow page drops pictures, never time.
  expect(played.seconds).toBeGreaterThan(1)
})

test('two players on one page show different frames of one composition with values of their own', async () => {
  const project = here('../examples/hello')
  const values = JSON.stringify({ theme: 'day', title: 'Second' }).replaceAll('"', '&quot;')
  const sized = 'style="width:640px"'
  const { origin, otherOrigin } = await startSite(project, {
    texts: {
      '/index.html': await prepared(project),
      '/host.html': hostPage(
        `<vid-player ${sized}></vid-player><vid-player ${sized} id="b" variables="${values}"></vid-player>`,
      ),
    },
  })
  const page = await openPage(browser, `${origin}/host.html`, project)
  const facts = await page.evaluate(async (src) => {
    const players = [...document.querySelectorAll('vid-player')]
    await Promise.all(
      players.map((player, index) =>
        new Promise((resolve) => {
          player.addEventListener('canplaythrough', resolve, { once: true })
          player.src = src
        }).then(() => player.seekFrame(index * 60)),
      ),
    )
    return players.map(({ frame, composition }) => ({ frame, title: composition?.variables.title }))
  }, `${otherOrigin}/index.html`)
  expect(facts).toEqual([
    { frame: 0, title: 'Hello, video.' },
    { frame: 60, title: 'Second' },
  ])
})

test('a composition that lies on a server as it was written plays too, with the files it embeds', async () => {
  const project = here('projects/nested-parts')
  const { origin } = await startSite(project, {
    texts: { '/host.html': hostPage('<vid-player></vid-player>') },
    headers: { 'access-control-allow-origin': '*' },
  })
  const page = await openPage(browser, `${origin}/host.html`, project)
  await loadPlayer(page, `${origin}/index.html`)
  const times = [2, 0.5]
  const stills = await snapshots(project, times)
  for (const [index, time] of times.entries()) {
    await seekFrame(page, time * 30)
    const isNear = ({ most }: Difference) => most <= 1
    const difference = await differenceFrom(page, stills[index] ?? new Uint8Array(), isNear)
    expect(isNear(difference), `at ${time} s: ${JSON.stringify(difference)}`).toBe(true)
  }
})

test('a hostile composition that lies on the same server reaches nothing of the page around it, and goes nowhere', async () => {
  const project = join(await scratch(), 'hostile')
  await mkdir(project)
  const script = `
    const told = {}
    const attempt = (name, call) => { try { told[name] = String(call()) } catch { told[name] = 'refused' } }
    attempt('page', () => parent.document.title)
    attempt('storage', () => localStorage.length)
    attempt('cookies', () => document.cookie)
    attempt('top', () => { top.location = '/elsewhere'; return 'gone' })
    attempt('window', () => open('/elsewhere'))
    __vid.waitUntil(fetch('/secret.txt', { credentials: 'include' })
      .then((reply) => reply.text(), () => 'refused').then((text) => { told.secret = text; globalThis.told = told }))`
  await writeFile(
    join(project, 'index.html'),
    `<!doctype html><div data-composition-id="main" data-width="320" data-height="180" data-duration="1"></div><script>${script}</script>`,
  )
  const { origin } = await startSite(project, {
    texts: { '/host.html': hostPage('<vid-player></vid-player>'), '/secret.txt': 'secret' },
  })
  const page = await openPage(browser, `${origin}/host.html`, project)
  await page.evaluate('document.cookie = "visitor=1"')
  await loadPlayer(page, `${origin}/index.html`)
  const messages = await page.frames()[1]?.evaluate('told')
  const refused = 'refused'
  const nothing = { page: refused, storage: refused, cookies: refused, top: refused }
  expect(messages).toEqual({ ...nothing, window: 'null', secret: refused })
  expect(page.url()).toBe(`${origin}/host.html`)
})

test('an address that cannot be played is an error with a code, and the next one plays', async () => {
  const project = here('projects/windows')
  const { origin, otherOrigin } = await startSite(project, {
    texts: {
      '/index.html': await prepared(project),
      '/plain.html': '<p>no composition',
      '/host.html': hostPage('<vid-player src="missing.html"></vid-player>'),
    },
  })
  const page = await openPage(browser, `${origin}/host.html`, project)
  const failed = () =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const player = document.querySelector('vid-player')
          if (player?.error) resolve(player.error.code)
          player?.addEventListener('error', () => resolve(player.error?.code), { once: true })
        }),
    )
  expect(await failed()).toBe('VID_PLAYER_LOAD')
  await page.evaluate(() => document.querySelector('vid-player')?.setAttribute('src', 'plain.html'))
  await page.waitForFunction(() => document.querySelector('vid-player')?.error?.code === 'VID_COMPOSITION_NO_ROOT')
  await loadPlayer(page, `${otherOrigin}/index.html`)
  expect(await page.evaluate(() => document.querySelector('vid-player')?.error)).toBe(null)
})

test('what is loaded anew keeps its frame and the old picture until then, and nothing is left of a removed player', async () => {
  const project = join(await scratch(), 'windows')
  await cp(here('projects/windows'), project, { recursive: true })
  const { origin, otherOrigin } = await startSite(project, {
    texts: { '/host.html': hostPage('<vid-player></vid-player>') },
  })
  await writeFile(join(project, 'played.html'), await prepared(project))
  const page = await openPage(browser, `${origin}/host.html`, project)
  await loadPlayer(page, `${otherOrigin}/played.html`)
  await seekFrame(page, 20)
  const isBlank = (png: Uint8Array) => decodePng(png).data.every((value) => value === 255)
  const before = await pausedPicture(page, (png) => !isBlank(png))
  await writeFile(join(project, 'played.html'), '<p>broken')
  await page.evaluate(() => document.querySelector('vid-player')?.load())
  expect(await page.evaluate(() => document.querySelector('vid-player')?.error?.code)).toBe('VID_PLAYER_LOAD')
  expect((await differenceFrom(page, before)).pixels).toBe(0)
  const text = await readFile(join(project, 'index.html'), 'utf8')
  await writeFile(join(project, 'index.html'), text.replace('data-duration="2"', 'data-duration="3"'))
  await writeFile(join(project, 'played.html'), await prepared(project))
  const state = await page.evaluate(async () => {
    const player = document.querySelector('vid-player')
    await player?.load()
    return { frame: player?.frame, error: player?.error }
  })
  expect(state).toEqual({ frame: 20, error: null })
  expect(page.frames()).toHaveLength(2)
  await page.evaluate(() => document.querySelector('vid-player')?.remove())
  await page.waitForFunction(() => window.frames.length === 0)
})

test('what is loaded while a new page is about to show its first frame leaves no page behind', async () => {
  const project = here('projects/windows')
  const { origin, otherOrigin } = await startSite(project, {
    texts: { '/played.html': await prepared(project), '/host.html': hostPage('<vid-player></vid-player>') },
  })
  const page = await openPage(browser, `${origin}/host.html`, project)
  await loadPlayer(page, `${otherOrigin}/played.html`)
  const outcome = await page.evaluate(async () => {
    const player = document.querySelector('vid-player')
    const { postMessage } = MessagePort.prototype
    const calls: string[] = []
    const reload = new Promise<void>((resolve) => {
      MessagePort.prototype.postMessage = function (this: MessagePort, message: { readonly call?: string }) {
        postMessage.call(this, message)
        calls.push(message.call ?? '')
        if (message.call !== 'show') return
        MessagePort.prototype.postMessage = postMessage
        resolve(player?.load())
      } as typeof postMessage
    })
    await Promise.all([player?.load(), reload])
    return { calls, error: player?.error }
  })
  expect(outcome).toEqual({ calls: ['open', 'show'], error: null })
  expect(page.frames()).toHaveLength(2)
})

test('it plays a range again and again at another speed, and is asked to play before it is loaded', async () => {
  const project = here('projects/windows')
  const { origin, otherOrigin } = await startSite(project, {
    texts: {
      '/played.html': await prepared(project),
      '/host.html': hostPage('<vid-player loop muted></vid-player>'),
    },
  })
  const page = await openPage(browser, `${origin}/host.html`, project)
  const frames = await page.evaluate(async (src) => {
    const player = document.querySelector('vid-player')
    if (!player) throw new Error('there is no player')
    player.range = { start: 20, end: 40 }
    player.playbackRate = 4
    // Of several addresses, the last one is loaded.
    player.src = `${src}?old`
    await Promise.resolve()
    player.src = src
    await Promise.resolve()
    const shown: number[] = []
    await player.play()
    await new Promise<void>((resolve) => {
      let rounds = 0
      player.addEventListener('frame', ({ detail }) => {
        if (detail.frame < (shown.at(-1) ?? 0)) rounds += 1
        shown.push(detail.frame)
        if (rounds === 3) resolve()
      })
    })
    player.pause()
    return shown
  }, `${otherOrigin}/played.html`)
  expect(Math.min(...frames.slice(1))).toBeGreaterThanOrEqual(20)
  expect(Math.max(...frames)).toBeLessThan(40)
  expect(page.frames()).toHaveLength(2)
  expect(page.frames()[1]?.url()).toBe(`${otherOrigin}/played.html`)
})

test('dates and numbers are written as in a render, whatever language and time zone the viewer has', async () => {
  const abroad = await startBrowser({
    env: { TZ: 'Asia/Tokyo' },
    args: ['--lang=de-DE', '--accept-lang=de-DE'],
  })
  onTestFinished(() => abroad.close())
  const page = await openPlayer(abroad, here('projects/windows'))
  const values = `[
    new Date().toString(), new Date(2025, 5, 1, 12).toISOString(), new Date('2025-06-01T12:00').toISOString(),
    new Date('June 1, 2025 12:00').toISOString(), new Date('2025-06-01').getHours(), new Date(0).toLocaleString(),
    new Date().getTimezoneOffset(), new Date(0) instanceof Date, (1234.5).toLocaleString(), navigator.language,
    new Intl.NumberFormat().format(0.5), new Intl.DateTimeFormat().resolvedOptions().timeZone,
    new Date('nothing').toString(),
  ]`
  expect(await page.mainFrame().evaluate('new Date(0).getHours() + navigator.language')).toBe('9de-DE')
  expect(await page.frames()[1]?.evaluate(values)).toEqual([
    'Wed Jan 01 2025 00:00:00 GMT+0000 (Coordinated Universal Time)',
    '2025-06-01T12:00:00.000Z',
    '2025-06-01T12:00:00.000Z',
    '2025-06-01T12:00:00.000Z',
    0,
    '1/1/1970, 12:00:00 AM',
    0,
    true,
    '1,234.5',
    'en-US',
    '0.5',
    'UTC',
    'Invalid Date',
  ])
})

test('buttons have names, and keys play, step and mute while the player has the focus', async () => {
  const page = await openPlayer(browser, here('projects/windows'), 'controls')
  const names = await page.$$eval('vid-player >>> button, vid-player >>> input', (all) =>
    all.map((element) => element.getAttribute('aria-label')),
  )
  expect(names).toEqual(['Play', 'Time', 'Mute', 'Volume', 'Full screen'])
  const state = () =>
    page.evaluate(() => {
      const { frame, paused, muted } = document.querySelector('vid-player') ?? {}
      return { frame, paused, muted }
    })
  await page.focus('vid-player')
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'm'] as const) await page.keyboard.press(key)
  await page.waitForFunction(() => document.querySelector('vid-player')?.frame === 1)
  expect(await state()).toEqual({ frame: 1, paused: true, muted: true })
  await page.keyboard.press('End')
  await page.waitForFunction(() => document.querySelector('vid-player')?.frame === 59)
  await page.keyboard.press('Home')
  await page.keyboard.press(' ')
  await page.waitForFunction(() => (document.querySelector('vid-player')?.frame ?? 0) > 3)
  expect(await state()).toMatchObject({ paused: false })
  await page.keyboard.press('k')
  expect(await state()).toMatchObject({ paused: true })
})
