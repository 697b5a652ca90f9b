import { captureFailure } from '../capture-errors.ts'
import { captureWarning } from '../capture-warnings.ts'
import type { PageLink } from '../driver/page-link.ts'
import { consoleLevel, consoleText, countMessages, type PageReports } from './console-text.ts'

/** Turns a page's events into warnings, and those that end its capture into an error. */
export const watchPage = (
  page: PageLink,
  mainFrame: string,
  { warn, isExplained, log = () => undefined }: PageReports,
): void => {
  const quietly = (command: Promise<unknown>) => {
    // A failure here means that the page is closed, which its failure signal reports.
    command.catch(() => undefined)
  }
  let loader: string | undefined
  const logged = countMessages(log)

  page.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== mainFrame) return
    loader ??= frame.loaderId
    if (loader !== frame.loaderId) page.fail(captureFailure('VID_PAGE_NAVIGATED', { url: page.plain(frame.url) }))
  })
  page.on('Page.javascriptDialogOpening', ({ type, message }) => {
    warn(captureWarning('VID_DIALOG_DISMISSED', { kind: type, text: message }))
    quietly(page.send('Page.handleJavaScriptDialog', { accept: false }))
  })
  page.on('Page.windowOpen', ({ url }) => warn(captureWarning('VID_POPUP_REFUSED', { url: page.plain(url) })))
  page.on('Page.downloadWillBegin', ({ url }) => warn(captureWarning('VID_DOWNLOAD_REFUSED', { url: page.plain(url) })))
  // A `debugger` statement would stop the page for good.
  page.on('Debugger.paused', () => quietly(page.send('Debugger.resume')))
  page.on('Log.entryAdded', ({ entry: { source, level, text, url } }) => {
    const refusedByUs = text.includes('ERR_BLOCKED_BY_CLIENT')
    if (source !== 'network' || level !== 'error' || url === undefined || refusedByUs) return
    // What no server answered may be for lack of room or memory.
    const starved = text.includes('net::ERR_') ? page.starved(url, text) : undefined
    if (starved) return page.fail(starved)
    page.failedLoads.add(url)
    const path = page.plain(url)
    if (!isExplained?.(path)) warn(captureWarning('VID_ASSET_FAILED', { url: path, detail: text }))
  })
  page.on('Runtime.consoleAPICalled', ({ type, args }) => {
    const level = consoleLevel(type)
    if (level === undefined) return
    const text = page.plain(consoleText(args))
    if (logged(level, text) && level === 'error') warn(captureWarning('VID_CONSOLE_ERROR', { text }))
  })
}
