import type { Probe, RenderPlan, Warning } from '@vid/kernel'
import { captureWarning } from '../capture-warnings.ts'
import type { LaneKind } from '../lanes/lane.ts'
import type { MediaSupply } from '../media/media-supply.ts'
import type { FrameShare } from '../media/track-show.ts'
import { decodesHere } from '../media/video-overlays.ts'
import type { PortablePage } from '../portable/portable-driver.ts'
import { openPortablePage } from '../portable/portable-page.ts'
import { beginFrame } from './begin-frame.ts'
import type { DrivenPage } from './cdp.ts'
import { createTicks, type FrameTicks } from './frame-ticks.ts'
import { createGlyphWatch } from './missing-glyphs.ts'
import { type CapturePage, openProtocolPage, type PageOptions } from './page.ts'
import { callPage } from './page-call.ts'
import { type ReadinessLimits, waitUntilReady } from './readiness.ts'
import { reportScriptErrors } from './script-errors.ts'

/** A loaded composition whose frames can be shown, forwards only. */
export interface CompositionPage {
  readonly page: CapturePage
  readonly ticks: FrameTicks
  readonly probe: Probe
  /** Whether each frame costs the drawing of all frames before it, with WebGL. */
  readonly isCostly: boolean
  /** The frame that is shown; -1 before the first. */
  shown(): number
  /** Advances to where one more seek shows the frame. */
  reach(frame: number): Promise<void>
  /** Shows a frame after the one that is shown; for a picture of it that is taken in any case, everything is placed anew. */
  seek(frame: number, forPicture: boolean): Promise<void>
  /** Places everything of the shown frame anew, so that its picture does not depend on earlier frames. */
  paintFresh(): Promise<void>
  /** Notes that a call which has been made shows frames up to `frame`; returns its result. */
  showing<T>(frame: number, call: Promise<T>): Promise<T>
  /** Whether scripts may change the volume of a media element over time. */
  readonly volumesMove: boolean
  /** Shows frames and gives each media element's gain in them, in document order. */
  volumes(start: number, frames: number): Promise<number[][]>
  /** Makes ready what the frames `shown() + 1 … end - 1` show of videos; `share` names frames that another page shows too. */
  prepare(plan: RenderPlan, start: number, end: number, share?: FrameShare): Promise<void>
  warn(warning: Warning): void
  /** Reports the script errors of the page so far, and the characters of its text that no font has; fails for what a script threw before the first frame. */
  reportErrors(): Promise<void>
}

/** Frames that a stateful page replays in one go, so that a long replay does not count as a stall. */
const REPLAY_FRAMES = 30

/** The same for a page with WebGL, of which one frame may take many seconds. */
const REPLAY_WEBGL_FRAMES = 1

/** Characters of an address in a message; one may hold a whole image. */
const MAX_NAME_LENGTH = 100

/** Opens a composition and waits until it can be captured. */
export const openComposition = async (
  driven: DrivenPage | PortablePage,
  options: PageOptions & {
    readonly kind: LaneKind
    readonly limits: ReadinessLimits
    /** The text that the entry's address answers with. */
    readonly html: string
    readonly media: MediaSupply
  },
): Promise<CompositionPage> => {
  const { warn, media } = options
  const ticks = createTicks(options.config)
  const page = await ('portable' in driven ? openPortablePage(driven, options) : openProtocolPage(driven, options))
  const pump = async () => options.kind.frameControl && beginFrame(page, ticks, ticks.loading())
  const setMediaFacts = async (sources: readonly string[]) => {
    const facts = await Promise.all(sources.map(async (src) => [src, await media.facts(src)] as const))
    await callPage(page, { doing: 'loading' }, 'setMediaFacts', Object.fromEntries(facts))
  }
  await waitUntilReady(page, options.limits, pump, setMediaFacts)
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
  // Only Chromium is known to keep places from one frame to the next.
  const keepsPlaces = !('portable' in driven)
  const show = (frame: number, isFresh = false) =>
    showing(frame, callPage(page, doingOf(frame), 'seek', frame, isFresh))
  const decodes = 'portable' in driven ? undefined : decodesHere(page)
  const watchGlyphs = createGlyphWatch(page, warn)
  const composition: CompositionPage = {
    page,
    ticks,
    probe: {
      duration: report.duration ?? (report.infinite ? Infinity : null),
      stateful: report.stateful,
      covered: report.covered,
      ...(report.drawsWebgl && { drawsWebgl: true }),
      ...(report.unseen !== undefined && { unseen: report.unseen }),
      media: report.media.map((use) => ({ ...use, end: use.end ?? Infinity })),
    },
    isCostly: report.stateful && report.drawsWebgl,
    shown: () => shown,
    async reach(frame) {
      const step = report.drawsWebgl ? REPLAY_WEBGL_FRAMES : REPLAY_FRAMES
      while (report.stateful && Math.max(shown, 0) + step < frame) await show(Math.max(shown, 0) + step)
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
    volumesMove: report.volumesMove,
    async volumes(start, frames) {
      const doing = `sampling volumes from frame ${start}`
      const gains = await callPage(page, { doing }, 'volumes', start, frames)
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
  if (report.stills.length > 0)
    warn(
      captureWarning('VID_IMAGE_STILL', {
        sources: report.stills.map((src) => page.plain(src).slice(0, MAX_NAME_LENGTH)),
      }),
    )
  for (const { element, src, reason } of report.unseenEmbedded)
    warn(
      captureWarning('VID_EMBEDDED_UNSEEN', {
        element: page.plain(element),
        src: page.plain(src),
        reason: page.plain(reason),
      }),
    )
  for (const tag of report.unheard) warn(captureWarning('VID_SOUND_UNTIMED', { tag: page.plain(tag) }))
  await composition.reportErrors()
  return composition
}
