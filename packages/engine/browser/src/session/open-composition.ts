import { MEDIA_PATH } from '@vid/assets'
import type { Probe } from '@vid/kernel'
import type { Warning } from '@vid/protocol'
import type { ProbeReport } from '@vid/runtime'
import { captureWarning } from '../capture-warnings.ts'
import type { DrivenPage } from '../driver/cdp.ts'
import type { LaneKind } from '../driver/lane.ts'
import type { PortablePage } from '../driver/portable-driver.ts'
import type { MediaSupply } from '../media/media-supply.ts'
import { decodesHere } from '../media/video-overlays.ts'
import { beginFrame } from '../page/begin-frame.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import { createTicks } from '../page/frame-ticks.ts'
import { createGlyphWatch } from '../page/missing-glyphs.ts'
import { type CapturePage, openProtocolPage, type PageOptions } from '../page/page.ts'
import { callPage } from '../page/page-call.ts'
import { type ReadinessLimits, waitUntilReady } from '../page/readiness.ts'
import { reportScriptErrors } from '../page/script-errors.ts'
import { openPortablePage } from '../portable/portable-page.ts'

/** Frames that a page replays or passes in one call, so that a long replay does not count as a stall. */
const REPLAY_FRAMES = 30

/** The same for a page with WebGL, of which one frame may take many seconds. */
const REPLAY_WEBGL_FRAMES = 1

/** Limit on the characters of an address in a message; a data address may contain a whole image. */
const MAX_NAME_LENGTH = 100

const probeOf = (report: ProbeReport): Probe => ({
  duration: report.duration ?? (report.infinite ? Infinity : null),
  stateful: report.stateful,
  covered: report.covered,
  ...(report.drawsWebgl && { drawsWebgl: true }),
  ...(report.unseen !== undefined && { unseen: report.unseen }),
  captions: report.captions,
  chapters: report.chapters,
  media: report.media.map(({ envelope: _, ...use }) => ({ ...use, end: use.end ?? Infinity })),
})

/** What a composition says of itself once it has begun. */
const factsOf = (report: ProbeReport) => ({
  probe: probeOf(report),
  isCostly: report.stateful && report.drawsWebgl,
  callsAtOtherRate: report.callsAtOtherRate,
  drawsElements: report.drawsElements,
  envelopes: report.media.map(({ envelope }) => envelope),
  volumesMove: report.volumesMove,
})

/** What will look or sound other than the author may expect. */
const warningsOf = (
  { stills, unseenEmbedded, unheard }: ProbeReport,
  { plain }: Pick<CapturePage, 'plain'>,
): readonly Warning[] => [
  ...(stills.length > 0
    ? [captureWarning('VID_IMAGE_STILL', { sources: stills.map((src) => plain(src).slice(0, MAX_NAME_LENGTH)) })]
    : []),
  ...unseenEmbedded.map(({ element, src, reason }) =>
    captureWarning('VID_EMBEDDED_UNSEEN', { element: plain(element), src: plain(src), reason: plain(reason) }),
  ),
  ...unheard.map((tag) => captureWarning('VID_SOUND_UNTIMED', { tag: plain(tag) })),
]

/** Opens a composition and waits until it can be captured; its caller reports the errors of its scripts. */
export const openComposition = async (
  driven: DrivenPage | PortablePage,
  options: PageOptions & {
    readonly kind: LaneKind
    readonly limits: ReadinessLimits
    /** The text served at the entry's address. */
    readonly html: string
    readonly media: MediaSupply
  },
): Promise<CompositionPage> => {
  const { warn, media } = options
  const ticks = createTicks(options.config)
  const pageOptions: PageOptions = {
    ...options,
    isExplained: (path) => `/${path}`.startsWith(MEDIA_PATH) && media.failure() !== undefined,
  }
  const page = await ('portable' in driven
    ? openPortablePage(driven, pageOptions)
    : openProtocolPage(driven, pageOptions))
  const pump = async () => options.kind.frameControl && beginFrame(page, ticks, ticks.loading())
  const setMediaFacts = async (sources: readonly string[]) => {
    const facts = await Promise.all(sources.map(async (src) => [src, await media.facts(src)] as const))
    await callPage(page, { doing: 'loading' }, 'setMediaFacts', Object.fromEntries(facts))
  }
  await waitUntilReady(page, options.limits, pump, setMediaFacts, options.isSending)
  const report = await callPage(page, { doing: 'starting' }, 'begin')
  let shown = -1

  const showing: CompositionPage['showing'] = (frame, call) => {
    shown = frame
    return call.catch((thrown: unknown) => {
      // The page only knows that an image did not load.
      throw media.failure() ?? thrown
    })
  }
  const doingOf = (frame: number) => ({ doing: `showing frame ${frame}` })
  // Only Chromium is known to keep layout positions from one frame to the next.
  const keepsPlaces = !('portable' in driven)
  const show = (frame: number, isFresh = false) =>
    showing(frame, callPage(page, doingOf(frame), 'seek', frame, isFresh))
  const decodes = 'portable' in driven ? undefined : decodesHere(page)
  const watchGlyphs = createGlyphWatch(page, warn)
  const composition: CompositionPage = {
    page,
    ticks,
    ...factsOf(report),
    shown: () => shown,
    async reach(frame) {
      const step = report.drawsWebgl ? REPLAY_WEBGL_FRAMES : REPLAY_FRAMES
      const isStepped = report.stateful || report.selfStarting
      while (isStepped && Math.max(shown, 0) + step < frame) await show(Math.max(shown, 0) + step)
    },
    async seek(frame, forPicture) {
      await composition.reach(frame)
      await show(frame, forPicture && keepsPlaces)
    },
    async paintFresh() {
      if (keepsPlaces) await callPage(page, doingOf(shown), 'paintFresh')
    },
    showing,
    warn,
    async volumes(start, frames, isDrawn) {
      const doing = `sampling volumes from frame ${start}`
      const gains = await callPage(page, { doing }, 'volumes', start, frames, isDrawn)
      shown = start + frames - 1
      return gains
    },
    async prepare(plan, start, end, share) {
      const from = report.stateful ? shown + 1 : start
      const range = { start: from, frames: end - from, hold: report.drawsVideos }
      const shows = await media.show(plan, range, decodes, share)
      if (plan.media.length > 0) await callPage(page, { doing: 'preparing videos' }, 'showMedia', shows)
    },
    async reportErrors() {
      await watchGlyphs()
      await reportScriptErrors(page, options, shown < 0)
    },
  }
  for (const warning of warningsOf(report, page)) warn(warning)
  return composition
}
