import type { Evaluation, PageListener, PortableOpening, PortablePage } from '@vid/browser'
import type { Browser, BrowserContext, Page, Request, Route } from 'playwright-core'
import { refusePopups } from './popups.ts'

/** What Playwright says when a page could not be asked, rather than that its script threw. */
const UNASKED = /has been closed|Target crashed|Execution context was destroyed|Page closed|Protocol error/

/** Playwright puts the name of the call in front, and calls of its own behind. */
const messageOf = (cause: unknown): string => {
  const text = cause instanceof Error ? cause.message : String(cause)
  return text.replace(/^\w+\.\w+: /, '').split('\nCall log:')[0] ?? text
}

const isOf = (request: Request, page: Page): boolean => {
  try {
    return request.frame().page() === page
  } catch {
    // The document of a page that is only coming to be, or what a service worker asks for.
    return false
  }
}

const isMainFrame = (request: Request, page: Page): boolean =>
  isOf(request, page) && request.isNavigationRequest() && request.frame() === page.mainFrame()

/**
 * Answers every request of the page, and notes in `refused` those that it may not make; windows that it opens are
 * refused.
 */
const guard = async (
  context: BrowserContext,
  page: Page,
  { answer, listener }: PortableOpening,
  refused: WeakSet<Request>,
) => {
  const popups = refusePopups(page, listener.popup)
  const reply = async (route: Route, request: Request) => {
    const isOurs = isOf(request, page)
    if (!isOurs && request.isNavigationRequest()) popups.asked(request.url())
    const answered = isOurs
      ? await answer({
          url: request.url(),
          method: request.method(),
          isDocument: request.resourceType() === 'document',
          isMainFrame: isMainFrame(request, page),
          isMedia: request.resourceType() === 'media',
        })
      : 'refuse'
    if (answered === 'pass') return route.continue()
    if (answered !== 'refuse') return route.fulfill({ ...answered, headers: { ...answered.headers } })
    refused.add(request)
    return route.abort('blockedbyclient')
  }
  await context.route('**/*', async (route, request) => {
    // A reply fails only if the page is closed.
    await reply(route, request).catch(() => route.abort().catch(() => undefined))
  })
}

const listen = (page: Page, listener: PageListener, refused: WeakSet<Request>, isClosing: () => boolean) => {
  page.on('domcontentloaded', () => listener.loaded(page.url()))
  page.on('crash', listener.crashed)
  // Some browsers report no crash; the page just closes.
  page.on('close', () => isClosing() || listener.gone())
  page.on('dialog', (dialog) => {
    listener.dialog(dialog.type(), dialog.message())
    dialog.dismiss().catch(() => undefined)
  })
  page.on('download', (download) => {
    listener.download(download.url())
    download.cancel().catch(() => undefined)
  })
  page.on('console', (message) => {
    // Messages without arguments come from the browser, about requests that are reported anyway.
    if (message.args().length > 0) listener.logged(message.type(), message.text())
  })
  page.on('requestfailed', (request) => {
    if (!refused.has(request)) listener.failed(request.url(), request.failure()?.errorText ?? 'it failed')
  })
  page.on('response', (response) => {
    const status = `${response.status()} (${response.statusText()})`
    if (response.status() >= 400) listener.failed(response.url(), `the server responded with a status of ${status}`)
  })
}

const evaluateIn = async (page: Page, expression: string): Promise<Evaluation> => {
  try {
    return { value: await page.evaluate(expression) }
  } catch (cause) {
    const said = messageOf(cause)
    if (UNASKED.test(said)) throw cause
    return { thrown: said }
  }
}

/** A page in its own context, driven only by what Playwright supports in every browser. */
export const createPortablePage = (browser: Browser): PortablePage => {
  let context: BrowserContext | undefined
  let page: Page | undefined
  let closing = false
  const opened = (): Page => {
    if (!page) throw new Error('the page is not open')
    return page
  }
  return {
    portable: {
      async open(opening) {
        const size = { width: opening.width, height: opening.height }
        context = await browser.newContext({
          viewport: size,
          screen: size,
          deviceScaleFactor: opening.scale,
          proxy: { server: opening.proxy },
          serviceWorkers: 'block',
          acceptDownloads: false,
          locale: 'en-US',
          timezoneId: 'UTC',
        })
        context.setDefaultTimeout(0)
        if (opening.script !== '') await context.addInitScript({ content: opening.script })
        page = await context.newPage()
        const refused = new WeakSet<Request>()
        // First of all: a page may crash while it is still being prepared.
        listen(page, opening.listener, refused, () => closing)
        await guard(context, page, opening, refused)
      },
      async navigate(url) {
        // Whether it has loaded is asked of the page itself.
        await opened()
          .goto(url, { waitUntil: 'commit' })
          .catch((cause: unknown) => {
            throw new Error(messageOf(cause), { cause })
          })
      },
      evaluate: async (expression) => evaluateIn(opened(), expression),
      screenshot: async ({ format, quality, clear }) =>
        opened().screenshot({
          type: format,
          ...(quality !== undefined && { quality }),
          omitBackground: clear,
          // Nothing of the page is touched: the toolkit itself has shown the frame.
          animations: 'allow',
          caret: 'initial',
          scale: 'css',
        }),
    },
    async close() {
      closing = true
      await page?.close()
      await context?.close()
    },
  }
}
