import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { findBrowser } from '@vid/browser'
import { type PageConfig, type PageHost, type ProbeReport, pageScript, type ReadyReport } from '@vid/runtime'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../../../../scripts/dev/browser-patience.ts'

declare const __vidHost: PageHost

/** A composition that has begun in a real browser. */
export interface OpenPage {
  readonly page: Page
  readonly probe: ProbeReport
  seek(frame: number): Promise<void>
  /** Evaluates an expression in the page, which may be a promise. */
  read<T = unknown>(expression: string): Promise<T>
}

const ORIGIN = 'http://localhost'
const gsap = createRequire(import.meta.url).resolve('gsap/dist/gsap.min.js')

/** A document with a 320 × 180 root that holds `body`; `gsap` loads the library first. */
export const composition = (body: string, options: { gsap?: boolean; root?: string; head?: string } = {}) =>
  `<!doctype html><html><head>${options.head ?? ''}${options.gsap ? '<script src="/gsap.js"></script>' : ''}</head><body>
  <div id="root" data-composition-id="main" data-width="320" data-height="180" ${options.root ?? 'data-duration="10"'}>${body}</div></body></html>`

const untilReady = async (page: Page): Promise<ReadyReport> => {
  for (;;) {
    const report = await page.evaluate(() => __vidHost.readiness())
    if (report.ready) return report
    // Sources are not read here: each counts as unusable.
    const unknown = report.pending.filter(({ reason }) => reason === 'media').map(({ detail }) => [detail, null])
    await page.evaluate((facts) => __vidHost.setMediaFacts(facts), Object.fromEntries(unknown))
  }
}

/** Starts one browser for a test file; it ends with the file. */
export const useBrowser = () => {
  let browser: Browser
  const open: Page[] = []
  beforeAll(async () => {
    const { path, env } = await findBrowser()
    browser = await puppeteer.launch({
      executablePath: path,
      timeout: BROWSER_PATIENCE_MS,
      headless: 'shell',
      pipe: true,
      env: { ...process.env, ...env },
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--enable-begin-frame-control',
        '--run-all-compositor-stages-before-draw',
      ],
    })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
  })

  /** Loads a document, with `files` by path beside it, and stops before `begin`. */
  const load = async (
    html: string,
    config: Partial<PageConfig> = {},
    files: Record<string, string> = {},
  ): Promise<Page> => {
    await Promise.all(open.splice(0).map((page) => page.close()))
    const page = await browser.newPage()
    page.setDefaultTimeout(BROWSER_PATIENCE_MS)
    open.push(page)
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      const body = pathname === '/' ? html : pathname === '/gsap.js' ? readFileSync(gsap, 'utf8') : files[pathname]
      const contentType = /\.js$/.test(pathname) ? 'text/javascript' : 'text/html'
      void request.respond(body === undefined ? { status: 404 } : { status: 200, contentType, body })
    })
    const settings = { width: 320, height: 180, fps: 30, variables: {}, alpha: false, ...config }
    await page.evaluateOnNewDocument(pageScript(settings))
    await page.goto(`${ORIGIN}/`, { waitUntil: 'load' })
    return page
  }

  return {
    load,
    ready: untilReady,
    /** Loads a document and begins it. */
    async start(html: string, config: Partial<PageConfig> = {}, files: Record<string, string> = {}): Promise<OpenPage> {
      const page = await load(html, config, files)
      await untilReady(page)
      const probe = await page.evaluate(() => __vidHost.begin())
      return {
        page,
        probe,
        seek: (frame) => page.evaluate((to) => __vidHost.seek(to), frame),
        read: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
      }
    },
  }
}
