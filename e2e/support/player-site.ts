import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInputLog, createLibraryAnswer } from '@vid/assets'
import { findBrowser, launchFlags } from '@vid/browser'
import { compileEntry, loadComposition, resolveVariables } from '@vid/core'
import type { VidPlayer } from '@vid/player'
import { preparePage } from '@vid/player/prepare'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { onTestFinished } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../scripts/dev/browser-patience.ts'
import { type Difference, differenceOf } from './same-picture.ts'
import { here } from './vid.ts'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const typeOf = (path: string) => TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

/** The document of a project's entry as a server prepares it for a player. */
export const prepared = async (
  folder: string,
  entry = 'index.html',
  settings: Partial<{ mediaBase: string; fps: number }> = {},
): Promise<string> => {
  const { composition } = await loadComposition(folder, entry)
  const { html } = await compileEntry(folder, entry)
  const { width, height, duration, declarations } = composition
  const { mediaBase, fps = 30 } = settings
  const variables = resolveVariables(declarations, {}).values
  return preparePage({
    html,
    config: { width, height, fps, variables, alpha: false },
    settings: { duration, ...(mediaBase && { mediaBase }) },
  })
}

/** What a site serves besides the files of a folder: texts by path, with the headers of all answers. */
export interface SiteOptions {
  readonly texts?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  answer?(path: string, body: string, response: ServerResponse): Promise<boolean>
}

/** Serves the built player under `/player/` and a folder; ends with the test. */
export const startSite = async (folder: string, options: SiteOptions = {}) => {
  const { texts = {}, headers = {} } = options
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (await options.answer?.(request.url ?? '/', Buffer.concat(chunks).toString(), response)) return
    const text = texts[path]
    const file = path.startsWith('/player/')
      ? here(`../packages/engine/player/dist/${path.slice('/player/'.length)}`)
      : join(folder, path)
    response.setHeader('content-type', typeOf(path))
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (text !== undefined) return response.end(text)
    if (!existsSync(file)) return response.writeHead(404).end()
    const body = await readFile(file)
    // Without ranges a browser cannot seek in a video.
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) return response.end(body)
    const part = body.subarray(Number(from), to ? Number(to) + 1 : undefined)
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`
    response.writeHead(206, { 'accept-ranges': 'bytes', 'content-range': range })
    response.end(part)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, otherOrigin: `http://localhost:${port}` }
}

/** A page that holds players; `body` is its content. */
export const hostPage = (body: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><style>body{margin:0;background:#fff}</style>
  <script type="module" src="/player/index.js"></script></head><body>${body}</body></html>`

/** Flags of a render's browser by which it reaches the site of the render alone. */
const CONFINING = /^--(?:proxy-|host-resolver-rules)/

/** Starts a browser that draws as that of a render does, but whenever it wants. */
export const startBrowser = async (
  machine: { readonly env?: NodeJS.ProcessEnv; readonly args?: readonly string[] } = {},
): Promise<Browser> => {
  const { path, env, kind } = await findBrowser()
  const settings = { kind, frameControl: false, width: 1920, height: 1080, proxy: 'http://none.localhost:1' }
  const flags = launchFlags(settings).filter((flag) => !CONFINING.test(flag))
  return puppeteer.launch({
    executablePath: path,
    headless: 'shell',
    pipe: true,
    env: { ...process.env, ...env, ...machine.env },
    args: [...flags, '--no-sandbox', ...(machine.args ?? [])],
    timeout: BROWSER_PATIENCE_MS,
  })
}

/** Opens an address in a new page, with the bundled libraries in place of CDNs; `before` runs in each of its documents first. */
export const openPage = async (browser: Browser, url: string, project: string, before?: () => void): Promise<Page> => {
  const page = await browser.newPage()
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  if (before) await page.evaluateOnNewDocument(before)
  onTestFinished(() => page.close())
  await page.setViewport({ width: 1920, height: 1080 })
  await page.setRequestInterception(true)
  const answer = createLibraryAnswer({ projectDir: project, inputs: createInputLog(), warn: () => undefined })
  page.on('request', async (request) => {
    const library = await answer(request.url())
    if (library === undefined) return request.continue()
    if ('redirect' in library) return request.respond({ status: 302, headers: { location: library.redirect } })
    const { contentType, body } = library.asset
    await request.respond({ status: 200, contentType, body, headers: { 'access-control-allow-origin': '*' } })
  })
  await page.goto(url)
  return page
}

/** Opens a project, prepared and on an origin of its own, in a player, and waits until that can play. */
export const openPlayer = async (
  browser: Browser,
  project: string,
  attributes = '',
  before?: () => void,
): Promise<Page> => {
  const { origin, otherOrigin } = await startSite(project, {
    texts: {
      '/index.html': await prepared(project),
      '/host.html': hostPage(`<vid-player ${attributes}></vid-player>`),
    },
  })
  const page = await openPage(browser, `${origin}/host.html`, project, before)
  await loadPlayer(page, `${otherOrigin}/index.html`)
  return page
}

/** Sets the address of the player, and waits until it shows a frame or fails. */
export const loadPlayer = async (page: Page, src: string) => {
  const failed = await page.evaluate(
    (address) =>
      new Promise<string | undefined>((resolve) => {
        const player: VidPlayer | null = document.querySelector('vid-player')
        player?.addEventListener('canplaythrough', () => resolve(undefined), { once: true })
        player?.addEventListener('error', () => resolve(player.error?.message), { once: true })
        player?.setAttribute('src', address)
      }),
    src,
  )
  if (failed !== undefined) throw new Error(failed)
}

/** Shows a frame, and waits until it is there. */
export const seekFrame = (page: Page, frame: number) =>
  page.evaluate((target) => document.querySelector('vid-player')?.seekFrame(target), frame)

/** What the player shows, as a PNG. */
export const pictureOf = async (page: Page): Promise<Uint8Array> => {
  const player = await page.$('vid-player')
  // To picture more than the window, the browser would lay out and draw everything again, frames of other pages later.
  return (await player?.screenshot({ captureBeyondViewport: false })) ?? new Uint8Array()
}

/**
 * Takes pictures of a paused player until one is right, and gives the last. The browser puts a screenshot together of
 * what each process has drawn last, so that on a busy machine the composition's may be missing in the first.
 */
export const pausedPicture = async (page: Page, isRight: (png: Uint8Array) => boolean): Promise<Uint8Array> => {
  const end = performance.now() + BROWSER_PATIENCE_MS
  for (;;) {
    const png = await pictureOf(page)
    if (isRight(png) || performance.now() > end) return png
  }
}

/** How far what a paused player shows is from a picture, once it is as near as the test expects. */
export const differenceFrom = async (
  page: Page,
  picture: Uint8Array,
  isNear = ({ pixels }: Difference) => pixels === 0,
): Promise<Difference> => differenceOf(await pausedPicture(page, (png) => isNear(differenceOf(png, picture))), picture)
