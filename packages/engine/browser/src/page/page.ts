import type { InputLog, RemoteAssets } from '@vid/assets'
import { type PageConfig, pageScript } from '@vid/runtime'
import { captureFailure } from '../capture-errors.ts'
import { captureWarning } from '../capture-warnings.ts'
import type { DrivenPage } from '../driver/cdp.ts'
import { withDeadline } from '../driver/deadline.ts'
import { deviceScale } from '../driver/device-scale.ts'
import type { ImageSettings } from '../driver/lane.ts'
import { linkPage, type PageLink } from '../driver/page-link.ts'
import { guardNetwork } from '../network/request-guard.ts'
import { createReduction } from '../pictures/reduced-image.ts'
import type { Shortage } from '../shortage.ts'
import type { PageReports } from './console-text.ts'
import { openHiddenTrees } from './hidden-trees.ts'
import { untilAnswered } from './lost-request.ts'
import { watchPage } from './page-events.ts'
import { type Doing, describeDoing, explainStall, type IdleCause } from './stall.ts'
import { stopAnimations } from './still-animations.ts'

/** Options for opening a page. */
export interface PageOptions extends PageReports {
  readonly config: PageConfig
  /** How many times larger in each direction the page is drawn than its pictures are; 1 by default. */
  readonly reduction?: number
  /** Origin of the project, the only one that the page may reach. */
  readonly origin: string
  /** Address of the browser's egress proxy. */
  readonly proxy: string
  /** Absolute folder of the composition. */
  readonly projectDir: string
  /** Entry file, relative to the project, with forward slashes. */
  readonly entry: string
  /** Fetches files from other addresses. */
  readonly remote: RemoteAssets
  /** Records every file that the page was served. */
  readonly inputs: InputLog
  /** Aborts with the reason why the page cannot go on (its browser ended, the render was stopped). */
  readonly signal: AbortSignal
  /** What the machine lacks now, for the error of a page that crashes. */
  shortage(): Shortage
  /** Longest time that the page may take to answer, in milliseconds; several times as long while it draws. */
  readonly livenessMs: number
  /** Whether a file is being sent to a page of the session, or fetched for one. */
  isSending(): boolean
  /** Whether the browser is drawing with WebGL, which keeps the page from answering; left out where that is unknown. */
  isDrawing?(): Promise<boolean>
  /** Name of the GPU that the browser draws on; left out for the processor. */
  readonly gpu?: string | undefined
}

/** A request that is sent while the page is still processing another. */
export interface Ahead {
  /** The earlier request: the time limit of this one starts when that has been answered. */
  readonly after: Promise<unknown>
  /** Possible activities of a page that does not answer. */
  doing(): string
}

/** A page of a composition that has started to load. */
export interface CapturePage extends Pick<PageLink, 'failure' | 'fail' | 'failedLoads' | 'late' | 'plain' | 'send'> {
  readonly config: PageConfig
  /** Evaluates an expression, waits for its promise and returns its JSON value; `doing` is for the error. */
  evaluate(expression: string, doing: string, ahead?: Ahead): Promise<unknown>
  /** Waits for work of the page, up to its time limit. */
  alive<T>(work: Promise<T>, doing: Doing, idle?: IdleCause): Promise<T>
  /** Warns of running animations that vid does not seek. */
  reportStill(): Promise<void>
  /** How many times larger in each direction the page is drawn than its pictures are. */
  readonly reduction: number
  /** The picture of an image that was drawn, both in base64; a reduced one is a PNG file. */
  reduce(image: string): string
  /** A picture of what the page shows, in base64. */
  screenshot(settings: ImageSettings): Promise<string>
  close(): Promise<void>
}

/** How often a page that is still drawing gets another time limit; finite, to detect endless drawing. */
const MAX_WAITS = 20

/** Waits for a page's answer, extending the time limit while the page draws; then throws the error from `explain`. */
const awaitDrawing = async <T>(
  work: Promise<T>,
  { livenessMs, isDrawing }: Pick<PageOptions, 'livenessMs' | 'isDrawing'>,
  onDrawing: () => void,
  explain: (seconds: number) => Promise<unknown>,
): Promise<T> => {
  const late = Symbol('late')
  for (let waits = 1; ; waits += 1) {
    try {
      return await withDeadline(work, livenessMs, async () => late)
    } catch (thrown) {
      if (thrown !== late) throw thrown
    }
    const goesOn = waits < MAX_WAITS && (await Promise.race([work.then(() => true), isDrawing?.()]))
    if (!goesOn) return withDeadline(work, 0, () => explain((waits * livenessMs) / 1000))
    onDrawing()
  }
}

/** The address of the composition, as a browser gets it. */
export const compositionAddress = ({ origin, entry }: PageOptions): string =>
  `${origin}/${entry.split('/').map(encodeURIComponent).join('/')}`

/** Sets a page up, before it loads anything. */
const prepareTarget = (link: PageLink, options: PageOptions) => {
  const { send } = link
  const { config } = options
  const { width, height, scale = 1 } = config
  return Promise.all([
    send('Page.getFrameTree'),
    stopAnimations(link, options),
    openHiddenTrees(link),
    send('Page.enable'),
    send('Inspector.enable'),
    send('Log.enable'),
    send('Runtime.enable'),
    send('Debugger.enable'),
    send('Page.setDownloadBehavior', { behavior: 'deny' }),
    send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: deviceScale(scale),
      mobile: false,
      screenWidth: width,
      screenHeight: height,
    }),
    // Some time after the page has opened, a browser would report a mouse at its left top, which something may follow.
    send('Input.setIgnoreInputEvents', { ignore: true }),
    // Without input, a page has the focus only by this.
    send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    send('Emulation.setLocaleOverride', { locale: 'en-US' }),
    send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' }),
    ...(config.alpha
      ? [send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } })]
      : []),
    send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript(config) }),
  ])
}

/** Opens a page on the composition through the DevTools protocol and starts loading it; it cannot reach the network. */
export const openProtocolPage = async (driven: DrivenPage, options: PageOptions): Promise<CapturePage> => {
  const { config, origin } = options
  const link = linkPage(driven, origin, options)
  const { send, fail, plain } = link
  let isReported = false
  const reportSlow = (doing: string) => {
    if (!isReported) options.warn(captureWarning('VID_DRAWING_SLOW', { doing }))
    isReported = true
  }
  const alive: CapturePage['alive'] = (work, doing, idle = 'VID_PAGE_STUCK') =>
    awaitDrawing(
      work,
      options,
      () => reportSlow(describeDoing(doing)),
      (seconds) => explainStall(link, { seconds, doing: describeDoing(doing), idle, gpu: options.gpu }),
    )

  const url = compositionAddress(options)
  const evaluate: CapturePage['evaluate'] = async (expression, doing, ahead) => {
    const work = send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (ahead) await Promise.allSettled([Promise.race([work, ahead.after])])
    const { result, exceptionDetails } = await alive(work, ahead?.doing ?? doing)
    if (exceptionDetails === undefined) return result.value
    const detail = exceptionDetails.exception?.description ?? exceptionDetails.text
    throw captureFailure('VID_PAGE_SCRIPT', { doing, detail: plain(detail) })
  }
  const [{ frameTree }, reportStill] = await alive(prepareTarget(link, options), 'opening')
  watchPage(link, frameTree.frame.id, options)
  guardNetwork(link, { ...options, mainFrame: frameTree.frame.id })
  const { errorText } = await alive(send('Page.navigate', { url }), 'loading')
  // A crash during navigation rejects without a reason; any other command rejects with it.
  if (errorText === 'net::ERR_ABORTED') await alive(send('Runtime.evaluate', { expression: '0' }), 'loading')
  if (errorText !== undefined)
    throw link.starved(url, errorText) ?? captureFailure('VID_PAGE_LOAD', { url: plain(url), detail: errorText })

  const { failure, failedLoads, late } = link
  const reduction = options.reduction ?? 1
  const reduce = createReduction(reduction)
  return {
    failure,
    fail,
    failedLoads,
    late,
    plain,
    send,
    config,
    alive,
    reduction,
    reduce,
    screenshot: async (settings) =>
      reduce((await untilAnswered(() => send('Page.captureScreenshot', { ...settings }))).data),
    evaluate,
    reportStill,
    async close() {
      fail(captureFailure('VID_CAPTURE_ABORTED', { reason: 'the page was closed' }))
      await driven.close()
    },
  }
}
