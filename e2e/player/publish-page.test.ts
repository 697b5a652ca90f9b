import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StartedCloud, startCloud } from '@vid/cloud'
import type {} from '@vid/player'
import axe from 'axe-core'
import type { Browser, Page } from 'puppeteer-core'
import puppeteer from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { firefox, why } from '../support/firefox.ts'
import { startBrowser } from '../support/player-site.ts'
import { makePreviewProject } from '../support/preview-project.ts'
import { writeTone } from '../support/sound.ts'
import { scratch, vidInProcess } from '../support/vid.ts'

let cloud: StartedCloud
let url: string
let state: string
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'vid-publish-'))
  cloud = await startCloud({ api: { state, log: { level: 'silent' } } })
  url = (await cloud.listen(0)).url
})
afterAll(async () => {
  await cloud?.close()
  await rm(state, { recursive: true, force: true })
})

/** Publishes a folder as its author does, and returns the address of its page. */
const publish = async (folder: string, ...flags: readonly string[]) => {
  const home = await scratch()
  const env = { HOME: home, HOST_API_URL: url, HOST_API_KEY: cloud.first?.key ?? '' }
  const { code, stdout, stderr } = await vidInProcess(['publish', folder, '--poll-interval', '0.2', ...flags], { env })
  expect(code, stderr).toBe(0)
  return stdout.trim()
}

const CDN = 'https://cdn.jsdelivr.net/npm/gsap@3/dist/gsap.min.js'

/** A composition of a second: the server draws every frame in 1920 by 1080 pixels. */
const makeShort = async () => {
  const folder = await makePreviewProject()
  const index = join(folder, 'index.html')
  const text = await readFile(index, 'utf8')
  await writeFile(index, text.replace('data-duration="4"', 'data-duration="1"'))
  return folder
}

/** A composition with sound, variables, and a library of another site, in a folder of a project. */
const makeProject = async (folder: string) => {
  await writeTone(join(folder, 'tone.wav'), 440, 4)
  const index = join(folder, 'index.html')
  const text = await readFile(index, 'utf8')
  const added = `<audio src="tone.wav" data-start="0"></audio><script src="${CDN}"></script>`
  await writeFile(index, text.replace('<div id="bar">', `${added}$&`))
  return folder
}

/** Opens a page, with everything that is said on its console and every sound that it starts. */
const openPage = async (browser: Browser, address: string) => {
  const context = await browser.createBrowserContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  await page.evaluateOnNewDocument(() => {
    const { prototype } = AudioBufferSourceNode
    const { start } = prototype
    Object.assign(window, { __sounds: 0 })
    prototype.start = function (...args) {
      ;(window as unknown as { __sounds: number }).__sounds += 1
      start.apply(this, args)
    }
  })
  await page.setViewport({ width: 1280, height: 800 })
  await page.goto(address)
  return page
}

const isReady = (page: Page) => page.waitForFunction(() => document.querySelector('vid-player')?.readyState === 4)

/** Plays by a click on the button, until some frames have been shown. */
const play = async (page: Page) => {
  await page.click('vid-player >>> button[aria-label="Play"]')
  await page.waitForFunction(() => (document.querySelector('vid-player')?.frame ?? 0) > 5)
}

/** Waits until a sound has begun; Firefox begins none on a machine without a device for sound. */
const isHeard = (page: Page) => page.waitForFunction('__sounds > 0')

const title = (page: Page) =>
  page.evaluate(() => {
    const { composition } = document.querySelector('vid-player') ?? {}
    const { title, back } = composition?.variables ?? {}
    return [title, back]
  })

describe('in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('a page plays the composition with its variables and sound, and has the video once it is rendered', async () => {
    const address = await publish(
      await makeProject(await makePreviewProject()),
      '--no-wait',
      '--variables',
      '{"title":"Summer"}',
    )
    const page = await openPage(browser, address)
    await isReady(page)
    expect(await title(page)).toEqual(['Summer', '#2040a0'])
    await play(page)
    await isHeard(page)
    const [frame] = page.frames().filter((candidate) => candidate !== page.mainFrame())
    expect(frame?.url()).toMatch(/^http:\/\/[0-9a-f]{32}\.localhost:\d+\/index\.html$/)
    // The library came from the server, under an address of the composition itself.
    expect(await frame?.evaluate('typeof gsap')).toBe('object')
    await page.evaluate(() => document.querySelector('vid-player')?.pause())
    const link = await page.waitForSelector('.delivery a')
    const video = await fetch((await link?.evaluate((anchor) => (anchor as HTMLAnchorElement).href)) ?? '')
    expect(video.headers.get('content-type')).toBe('video/mp4')
    // The page was not loaded again for it.
    expect(await page.evaluate(() => document.querySelector('vid-player')?.frame)).toBeGreaterThan(5)
    expect(await page.$eval('.facts', (element) => element.textContent)).toMatch(/^MP4 · 4 s · 1920 × 1080 · /)
    await page.evaluate(axe.source)
    const violations = await page.evaluate(async () => {
      const { violations } = await window.axe.run(document, { iframes: false })
      return violations.map(({ id }) => id)
    })
    expect(violations).toEqual([])
  })

  test('a page has the captions of its composition as text tracks, and draws them at a button', async () => {
    const folder = await makeShort()
    const index = join(folder, 'index.html')
    await mkdir(join(folder, 'words'))
    const cue = (text: string) => `WEBVTT\n\n00:00.000 --> 00:01.000\n${text}\n`
    await writeFile(join(folder, 'words/talk.vtt'), cue('Hello'))
    await writeFile(join(folder, 'words/reden.vtt'), cue('Hallo'))
    const track = (name: string, language: string) =>
      `<track kind="captions" src="words/${name}.vtt" srclang="${language}" label="${language}">`
    const tracks = `${track('talk', 'en')}${track('reden', 'de')}`
    await writeFile(index, (await readFile(index, 'utf8')).replace('<div id="bar">', `${tracks}$&`))
    const page = await openPage(browser, await publish(folder, '--no-wait'))
    await isReady(page)
    const press = () => page.click('vid-player >>> button[aria-label^="Captions"]')
    const shown = (text: string) =>
      page.waitForFunction(
        (caption) =>
          document.querySelector('vid-player')?.shadowRoot?.querySelector('[part=caption]')?.textContent === caption,
        {},
        text,
      )
    await press()
    await shown('Hello')
    await press()
    await shown('Hallo')
    const listed = await page.evaluate(() =>
      [...(document.querySelector('vid-player')?.textTracks ?? [])].map(({ kind, language }) => [kind, language]),
    )
    expect(listed).toEqual([
      ['captions', 'en'],
      ['captions', 'de'],
    ])
  })

  test('the video is shown in place of a composition that does not play', async () => {
    const address = await publish(await makeProject(await makeShort()))
    const page = await openPage(browser, 'about:blank')
    await page.setRequestInterception(true)
    page.on('request', (request) =>
      /^http:\/\/\w+\.localhost/.test(request.url()) ? request.abort() : request.continue(),
    )
    await page.goto(address)
    await page.waitForSelector('main > video[controls]')
    expect(await page.$('vid-player')).toBeNull()
  })

  test('a page that may not play shows the video, and asks for nothing of the composition', async () => {
    const address = await publish(await makeProject(await makeShort()), '--no-play')
    const page = await openPage(browser, 'about:blank')
    const hosts = new Set<string>()
    page.on('request', (request) => {
      // The browser's own controls have pictures without a host.
      const { host } = new URL(request.url())
      if (host) hosts.add(host)
    })
    await page.goto(address)
    await page.waitForSelector('main > video[controls]')
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 1)
    expect(await page.$eval('video', ({ duration, videoWidth }) => [duration, videoWidth])).toEqual([1, 1920])
    expect(await page.$('vid-player, iframe, script')).toBeNull()
    expect([...hosts]).toEqual([new URL(url).host])
  })

  test('a hostile composition reaches nothing of the page or the API, opens nothing, and leads nowhere', async () => {
    const folder = await makeShort()
    const index = join(folder, 'index.html')
    await writeFile(index, (await readFile(index, 'utf8')).replace('</script>', `${HOSTILE}</script>`))
    const address = await publish(folder, '--no-wait')
    const page = await openPage(browser, address)
    const context = page.browserContext()
    await context.setCookie({ name: 'mine', value: '1', domain: '127.0.0.1', path: '/' })
    await page.evaluate(() => localStorage.setItem('mine', '1'))
    await page.reload()
    await isReady(page)
    const [frame] = page.frames().filter((candidate) => candidate !== page.mainFrame())
    await frame?.waitForFunction('window.__tried')
    expect(await frame?.evaluate('window.__tried')).toEqual({
      page: 'SecurityError',
      storage: 'SecurityError',
      own: null,
      cookie: '',
      top: expect.stringMatching(/SecurityError|left there/),
      popup: 'null',
      form: 'sent nowhere',
      // The server asks other sites for it, and none at a private address.
      read: '502 of its own origin',
      api: '404 0',
      worker: expect.stringMatching(/Error/),
    })
    expect(page.url()).toBe(address)
    expect(await context.pages()).toHaveLength(1)
    expect(await page.title()).not.toBe('taken')
    expect(await page.evaluate(() => document.querySelector('vid-player')?.error)).toBeNull()
  })
})

/** What a composition tries, and how that ends. */
const HOSTILE = `
const attempt = async (what) => { try { return String(await what()) } catch (thrown) { return thrown.name } }
void (async () => {
  const tried = {
    page: await attempt(() => parent.document.title = 'taken'),
    storage: await attempt(() => parent.localStorage.mine),
    own: localStorage.getItem('mine'),
    cookie: document.cookie,
    top: await attempt(() => { top.location = 'https://evil.example/'; return 'left there' }),
    popup: await attempt(() => open('https://evil.example/')),
    form: await attempt(() => {
      document.body.insertAdjacentHTML('beforeend', '<form target=_top action=https://evil.example/></form><a target=_top href=https://evil.example/></a>')
      document.forms[0].submit()
      document.querySelector('a[target]').click()
      return 'sent nowhere'
    }),
    read: await attempt(async () => { const reply = await fetch('${'http://127.0.0.1:'}' + location.port + '/p', { credentials: 'include' }); return reply.status + ' of ' + (new URL(reply.url).origin === location.origin ? 'its own origin' : 'the page') }),
    api: await attempt(async () => { const reply = await fetch('/v3/vid/publications', { credentials: 'include' }); return reply.status + ' ' + (reply.headers.get('set-cookie') ?? '').length }),
    worker: await attempt(() => navigator.serviceWorker.register('/card.html')),
  }
  window.__tried = tried
})()
`

describe.skipIf(!firefox)(`in Firefox${why}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: firefox ?? '',
      headless: true,
      timeout: BROWSER_PATIENCE_MS,
    })
  })
  afterAll(() => browser?.close())

  test('a page plays the composition, and a library of another site', async () => {
    const page = await openPage(browser, await publish(await makeProject(await makeShort()), '--no-wait'))
    await isReady(page)
    expect(await title(page)).toEqual(['Autumn', '#2040a0'])
    await play(page)
    const [frame] = page.frames().filter((candidate) => candidate !== page.mainFrame())
    expect(await frame?.evaluate('typeof gsap')).toBe('object')
  })
})

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}
