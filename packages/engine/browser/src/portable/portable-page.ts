import { pageScript } from '@vid/runtime'
import { captureFailure } from '../capture-errors.ts'
import { captureWarning } from '../capture-warnings.ts'
import { EXIT_MS, orAborted, withDeadline } from '../driver/deadline.ts'
import { deviceScale } from '../driver/device-scale.ts'
import { createFaults } from '../driver/page-link.ts'
import type { PageListener, PortablePage } from '../driver/portable-driver.ts'
import { createPolicy } from '../network/network-policy.ts'
import { consoleLevel, countMessages, type PageReports } from '../page/console-text.ts'
import { type CapturePage, compositionAddress, type PageOptions } from '../page/page.ts'
import { answers, describeDoing } from '../page/stall.ts'
import { WEBGL_MISSING, webglWatch } from '../page/webgl-watch.ts'
import { answerOf } from './portable-answer.ts'

/** Messages of drivers about a page that is closing. */
const GONE = /closed|detached|crashed|destroyed|disconnected|navigat/i

/** Turns a page's events into warnings, and those that end its capture into an error. */
const listenTo = (
  { failure, fail, failedLoads, plain, crash }: Omit<ReturnType<typeof createFaults>, 'explain'>,
  { warn, isExplained, log = () => undefined }: PageReports,
): PageListener => {
  let documents = 0
  const logged = countMessages(log)
  return {
    loaded(url) {
      if (++documents > 1) fail(captureFailure('VID_PAGE_NAVIGATED', { url: plain(url) }))
    },
    crashed: () => fail(crash()),
    gone() {
      const later = new Promise<never>(() => undefined)
      withDeadline(orAborted(later, failure), EXIT_MS, async () => crash()).catch(fail)
    },
    dialog: (kind, text) => warn(captureWarning('VID_DIALOG_DISMISSED', { kind, text })),
    popup: (url) => warn(captureWarning('VID_POPUP_REFUSED', { url: plain(url) })),
    download: (url) => warn(captureWarning('VID_DOWNLOAD_REFUSED', { url: plain(url) })),
    failed(url, detail) {
      failedLoads.add(url)
      const path = plain(url)
      if (isExplained?.(path)) return
      warn(captureWarning('VID_ASSET_FAILED', { url: path, detail: `Failed to load resource: ${detail}` }))
    },
    logged(type, text) {
      const level = consoleLevel(type)
      if (text === WEBGL_MISSING) warn(captureWarning('VID_WEBGL_MISSING', {}))
      else if (level && logged(level, plain(text)) && level === 'error')
        warn(captureWarning('VID_CONSOLE_ERROR', { text: plain(text) }))
    },
  }
}

const load = (
  portable: PortablePage['portable'],
  url: string,
  { failure, plain, starved }: Pick<ReturnType<typeof createFaults>, 'failure' | 'plain' | 'starved'>,
  probe: () => Promise<unknown>,
): Promise<unknown> =>
  orAborted(portable.navigate(url), failure).catch(async (cause: unknown) => {
    failure.throwIfAborted()
    // A crash during navigation rejects without a reason; any other call rejects with it.
    await probe()
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw starved(url, detail) ?? captureFailure('VID_PAGE_LOAD', { url: plain(url), detail: plain(detail) }, { cause })
  })

/** Opens a page of a browser that has no DevTools protocol, and starts loading the composition. */
export const openPortablePage = async (driven: PortablePage, options: PageOptions): Promise<CapturePage> => {
  const { config, origin, livenessMs, signal } = options
  const { portable } = driven
  const { explain, ...faults } = createFaults(origin, signal, options.shortage)
  const { failure, fail, plain } = faults

  const ask = <T>(work: Promise<T>, method: string): Promise<T> =>
    orAborted(work, failure).catch((cause) => explain(method, cause, GONE))
  const alive: CapturePage['alive'] = (work, doing, idle = 'VID_PAGE_STUCK') =>
    withDeadline(work, livenessMs, async () => {
      const facts = { seconds: livenessMs / 1000, doing: describeDoing(doing) }
      const isIdle = await answers(ask(portable.evaluate('1'), 'evaluate'))
      return faults.late(captureFailure(isIdle ? idle : 'VID_PAGE_UNRESPONSIVE', facts))
    })

  const decide = createPolicy(faults, options)
  const { width, height, scale = 1, alpha } = config
  const opening = portable.open({
    width,
    height,
    scale: deviceScale(scale),
    proxy: options.proxy,
    script: `${webglWatch}${pageScript(config)}`,
    answer: async (request) => answerOf(await decide(request)),
    listener: listenTo(faults, options),
  })
  await alive(ask(opening, 'open'), 'opening')
  const probe = () => ask(portable.evaluate('0'), 'evaluate')
  await alive(load(portable, compositionAddress(options), faults, probe), 'loading')

  return {
    ...faults,
    config,
    reduction: 1,
    reduce: (image) => image,
    alive,
    async evaluate(expression, doing) {
      const answer = await alive(ask(portable.evaluate(expression), 'evaluate'), doing)
      if ('value' in answer) return answer.value
      throw captureFailure('VID_PAGE_SCRIPT', { doing, detail: plain(answer.thrown) })
    },
    send: (method) => {
      const detail = 'it has no DevTools protocol'
      throw captureFailure('VID_BROWSER_PROTOCOL', { method, detail })
    },
    async screenshot({ optimizeForSpeed: _, ...settings }) {
      const image = await ask(portable.screenshot({ ...settings, clear: alpha }), 'screenshot')
      return image.toString('base64')
    },
    reportStill: async () => undefined,
    async close() {
      fail(captureFailure('VID_CAPTURE_ABORTED', { reason: 'the page was closed' }))
      await driven.close()
    },
  }
}
