import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { VidPlayer } from '@vid/player'
import { decodePng } from '@vid/testkit'
import axe from 'axe-core'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { COUNT_LEFT, NOTHING_LEFT } from '../support/left-behind.ts'
import { hostPage, openPage, prepared, startBrowser, startSite } from '../support/player-site.ts'
import { makePreviewProject } from '../support/preview-project.ts'
import { writeTone } from '../support/sound.ts'
import { here } from '../support/vid.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const MODULES = [
  ['/preact.js', 'dist/preact.mjs'],
  ['/hooks.js', 'hooks/dist/hooks.mjs'],
] as const

/** A composition with sound and variables on an origin of its own, and a page of another one. */
const openPageOf = async (body: string, before?: () => void) => {
  const project = await makePreviewProject()
  await writeTone(join(project, 'tone.wav'), 440, 4)
  const index = join(project, 'index.html')
  const text = await readFile(index, 'utf8')
  await writeFile(index, text.replace('<div id="bar">', '<audio src="tone.wav" data-start="0"></audio>$&'))
  const texts = MODULES.map(
    async ([path, file]) => [path, await readFile(here(`../node_modules/preact/${file}`), 'utf8')] as const,
  )
  const { origin, otherOrigin } = await startSite(project, {
    texts: {
      ...Object.fromEntries(await Promise.all(texts)),
      '/index.html': await prepared(project),
      '/host.html': body,
    },
  })
  return {
    page: await openPage(browser, `${origin}/host.html`, project, before),
    src: `${otherOrigin}/index.html`,
  }
}

const PREACT_PAGE = `<!doctype html><body style="margin:0"><div id="app"></div>
<script type="importmap">{"imports":{"preact":"/preact.js","preact/hooks":"/hooks.js"}}</script>
<script type="module">
import { h, render } from 'preact'
import { useState } from 'preact/hooks'
import '/player/index.js'
const Video = ({ title }) => {
  const [frame, setFrame] = useState(0)
  const [loads, setLoads] = useState(0)
  const src = location.origin.replace('127.0.0.1', 'localhost') + '/index.html'
  return h('section', { id: title },
    h('vid-player', { src, controls: true, variables: { title }, onframe: (event) => setFrame(event.detail.frame),
      onloadstart: () => setLoads((count) => count + 1) }),
    h('output', null, frame + ' loads ' + loads))
}
const Page = () => {
  const [isShown, show] = useState(false)
  return h('main', null,
    h('button', { id: 'show', onClick: () => show(!isShown) }, 'Videos'),
    isShown && [h(Video, { title: 'one' }), h(Video, { title: 'two' })])
}
render(h(Page), document.getElementById('app'))
</script>`

const ready = (page: Page, ...ids: readonly string[]) =>
  page.waitForFunction(
    (all) => all.every((id) => document.querySelector<VidPlayer>(`#${id} vid-player`)?.readyState === 4),
    {},
    ids,
  )

/** The states of all players of a page. */
const states = (page: Page) =>
  page.$$eval('vid-player', (players) =>
    players.map(({ frame, paused, composition }) => ({ frame, paused, title: composition?.variables.title })),
  )

test('a page made with a framework shows two players, each with its own time, and leaves nothing of them behind', async () => {
  const { page } = await openPageOf(PREACT_PAGE, COUNT_LEFT)
  const before = await page.evaluate('__left()')
  expect(before).toEqual(NOTHING_LEFT)
  await page.click('#show')
  await ready(page, 'one', 'two')
  await page.click('#one >>> button[aria-label="Play"]')
  await page.waitForFunction(() => (document.querySelector<VidPlayer>('#one vid-player')?.frame ?? 0) > 5)
  // The picture itself pauses too.
  await page.click('#one vid-player', { offset: { x: 160, y: 40 } })
  await page.waitForSelector('#one >>> button[aria-label="Play"]')
  const slider = await page.$('#two >>> input[aria-label="Time"]')
  await slider?.click()
  await page.waitForFunction(() => (document.querySelector<VidPlayer>('#two vid-player')?.frame ?? 0) > 40)
  const [one, two] = await states(page)
  expect([one?.title, two?.title]).toEqual(['one', 'two'])
  expect(one?.paused).toBe(true)
  expect(one?.frame).toBeLessThan(40)
  // What the page drew again for each frame did not load the composition again.
  // A player has its frame when it is asked for, and the page draws it when the picture is shown.
  const texts = () => page.$$eval('output', (all) => all.map(({ textContent }) => textContent))
  await expect.poll(texts).toEqual([`${one?.frame} loads 1`, `${two?.frame} loads 1`])

  await page.click('#two >>> button[aria-label="Play"]')
  await page.waitForFunction('__opened().contexts === 2')
  await page.click('#show')
  await page.waitForFunction('window.frames.length === 0')
  await expect.poll(() => page.evaluate('__left()')).toEqual(NOTHING_LEFT)

  await page.click('#show')
  await ready(page, 'one', 'two')
  expect(await states(page)).toEqual([
    { frame: 0, paused: true, title: 'one' },
    { frame: 0, paused: true, title: 'two' },
  ])
  // Removed while it loads.
  for (let round = 0; round < 4; round++) await page.click('#show')
  await page.click('#show')
  await expect.poll(() => page.evaluate('__left()')).toEqual(NOTHING_LEFT)
})

type Step = 'properties' | 'attributes' | 'connect' | 'define'

test.each<readonly [Step, Step, Step, Step]>(
  partOf(
    [
      ['define', 'connect', 'attributes', 'properties'],
      ['define', 'properties', 'attributes', 'connect'],
      ['properties', 'connect', 'attributes', 'define'],
      ['connect', 'attributes', 'properties', 'define'],
      ['attributes', 'properties', 'define', 'connect'],
    ],
    2,
  ),
)('what is set counts in every order: %s, %s, %s, %s', async (...order) => {
  const { page, src } = await openPageOf('<!doctype html><body></body>')
  const state = await page.evaluate(
    async (steps, address) => {
      const player = document.createElement('vid-player')
      const loaded = new Promise((resolve) => player.addEventListener('canplay', resolve, { once: true }))
      let loads = 0
      player.addEventListener('loadstart', () => {
        loads += 1
      })
      const does = {
        properties() {
          Object.assign(player, {
            variables: { title: 'Late' },
            currentTime: 1,
            volume: 0.5,
            playbackRate: 2,
          })
          Object.assign(player, { muted: true, range: { start: 10, end: 60 } })
        },
        attributes() {
          for (const [name, value] of [
            ['loop', ''],
            ['controls', ''],
            ['src', address],
          ] as const)
            player.setAttribute(name, value)
        },
        connect: () => document.body.append(player),
        define: () =>
          new Promise((resolve) => {
            const script = Object.assign(document.createElement('script'), {
              type: 'module',
              onload: resolve,
            })
            script.src = '/player/index.js'
            document.head.append(script)
          }),
      }
      for (const step of steps) await does[step]()
      await loaded
      const { frame, volume, playbackRate, muted, range, loop, composition } = player
      const title = composition?.variables.title
      const isNamed = player.shadowRoot?.querySelector('button')?.ariaLabel === 'Play'
      return { frame, volume, playbackRate, muted, range, loop, title, isNamed, isOne: loads <= 2 }
    },
    order,
    src,
  )
  expect(state).toEqual({
    frame: 30,
    volume: 0.5,
    playbackRate: 2,
    muted: true,
    range: { start: 10, end: 60 },
    loop: true,
    title: 'Late',
    isNamed: true,
    isOne: true,
  })
})

test('the attribute "false" is off, JSON is variables, and what a framework sets to undefined is as at first', async () => {
  const { page, src } = await openPageOf(
    hostPage(
      `<div id="film"><vid-player controls="false" loop="true" muted variables="[object Object]"></vid-player></div>`,
    ),
  )
  const failure = await page.evaluate(async (address) => {
    const player = document.querySelector('vid-player')
    const failed = new Promise((resolve) => player?.addEventListener('error', resolve, { once: true }))
    player?.setAttribute('src', address)
    await failed
    return player?.error
  }, src)
  expect(failure).toMatchObject({ code: 'VID_PLAYER_VARIABLES', hint: expect.stringContaining('stringify') })
  const assign = (change: object) =>
    page.$eval('vid-player', (player, properties) => Object.assign(player, properties), change).then(() => undefined)
  await assign({ variables: '{"title":"Text"}' })
  await ready(page, 'film')
  const switches = () =>
    page.$eval('vid-player', (player) => {
      const { controls, loop, muted, volume, playbackRate, currentTime, range, poster, src: address } = player
      const hasButton = player.shadowRoot?.querySelector('button') !== null
      return { controls, loop, muted, volume, playbackRate, currentTime, range, poster, address, hasButton }
    })
  const attributes = {
    volume: 0.5,
    playbackRate: 2,
    currentTime: 1,
    range: { start: 0, end: 9 },
    poster: '/a.png',
  }
  await assign({ ...attributes, controls: true, muted: false })
  expect(await switches()).toEqual({
    ...attributes,
    address: src,
    loop: true,
    controls: true,
    hasButton: true,
    muted: false,
  })
  await page.$eval('vid-player', (player) => {
    for (const name of ['volume', 'playbackRate', 'currentTime', 'range', 'poster', 'controls', 'src', 'loop'])
      Reflect.set(player, name, undefined)
  })
  expect(await switches()).toEqual({
    volume: 1,
    playbackRate: 1,
    currentTime: 1,
    range: null,
    poster: '',
    address: '',
    loop: false,
    controls: false,
    hasButton: false,
    muted: false,
  })
  expect((await states(page))[0]?.title).toBe('Text')
  // Taken away, the values are the defaults again.
  await page.$eval(
    'vid-player',
    (player, address) => {
      player.src = address
      Reflect.set(player, 'variables', undefined)
    },
    src,
  )
  await page.waitForFunction(() => document.querySelector('vid-player')?.composition?.variables.title === 'Autumn')
  await assign({ variables: '{"title":"Text"}' })
  await page.waitForFunction(() => document.querySelector('vid-player')?.composition?.variables.title === 'Text')
})

const openControls = async () => {
  const { page, src } = await openPageOf(
    `<!doctype html><html lang="en"><head><title>Video</title>${hostPage('').match(/<script.*<\/script>/)?.[0]}</head>
    <body style="background:#fff"><main><h1>Video</h1><div id="film"><vid-player controls style="width:640px"></vid-player></div></main></body></html>`,
  )
  await page.evaluate((address) => {
    const player = document.querySelector('vid-player')
    if (player) Object.assign(player, { variables: { back: '#ffffff' }, src: address })
  }, src)
  await ready(page, 'film')
  return page
}

test('axe has no finding on a player', async () => {
  const page = await openControls()
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { iframes: false })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
  expect(violations).toEqual([])
})

test('every control of a player is reached by Tab, is named, shows that it has the focus, and works by keys', async () => {
  const page = await openControls()
  const picture = async () => decodePng(await page.screenshot({ captureBeyondViewport: false })).data
  await page.evaluate(() => document.querySelector('vid-player')?.seekFrame(1))
  const plain = await picture()
  const names: (string | null | undefined)[] = []
  for (let count = 0; count < 6; count++) {
    await page.keyboard.press('Tab')
    names.push(
      await page.evaluate(
        () => (document.activeElement?.shadowRoot?.activeElement ?? document.activeElement)?.ariaLabel,
      ),
    )
    const now = await picture()
    const changed = now.filter((value, index) => Math.abs(value - (plain[index] ?? 0)) > 60).length
    expect(changed, names.join()).toBeGreaterThan(200)
  }
  // Inside a player the player itself is the active element of the page.
  expect(names).toEqual(['Player', 'Play', 'Time', 'Mute', 'Volume', 'Full screen'])
  const state = () => page.$eval('vid-player', ({ frame, paused, muted, volume }) => ({ frame, paused, muted, volume }))
  await page.keyboard.down('Shift')
  await page.keyboard.press('Tab')
  await page.keyboard.up('Shift')
  await page.keyboard.press('ArrowLeft')
  expect((await state()).volume).toBeCloseTo(0.95)
  await page.keyboard.press('m')
  expect((await state()).muted).toBe(true)
  await page.focus('vid-player >>> input[aria-label="Time"]')
  await page.keyboard.press('End')
  await page.waitForFunction(() => document.querySelector('vid-player')?.frame === 119)
  await page.focus('vid-player >>> button')
  await page.keyboard.press('Enter')
  expect(await state()).toMatchObject({ paused: false })
})

/** Relative luminance of WCAG. */
const luminance = (channels: readonly number[]): number => {
  const [r = 0, g = 0, b = 0] = channels.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

test('the controls are readable on a white picture: text at 4.5 to 1, signs at 3 to 1', async () => {
  const page = await openControls()
  await page.evaluate(() => document.querySelector('vid-player')?.seekFrame(1))
  const boxes = await page.$$eval('vid-player >>> time, vid-player >>> button', (all) =>
    all.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return { isText: element.tagName === 'TIME', box: { x, y, width, height } }
    }),
  )
  expect(boxes).toHaveLength(4)
  for (const { box, isText } of boxes) {
    const { data } = decodePng(await page.screenshot({ clip: box, captureBeyondViewport: false }))
    const all = Array.from({ length: data.length / 4 }, (_, n) => luminance([...data.slice(n * 4, n * 4 + 3)]))
    // The lightest is the sign; behind it is most of the box, the lightest of which is at its top.
    const sorted = all.toSorted((a, b) => a - b)
    const behind = sorted[Math.floor(sorted.length * 0.6)] ?? 1
    const sign = sorted.at(-1) ?? 0
    expect((sign + 0.05) / (behind + 0.05)).toBeGreaterThan(isText ? 4.5 : 3)
  }
})

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}
