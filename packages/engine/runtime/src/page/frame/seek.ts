import type { ProbeReport } from '../../contract/probe.ts'
import { REFRESH_RATE } from '../../contract/refresh-rate.ts'
import type { Clock } from '../clock/clock.ts'
import type { Clips } from '../document/clips.ts'
import type { HiddenTrees } from '../document/hidden-trees.ts'
import type { Gradings } from '../grading/gradings.ts'
import type { AnimatedImages } from '../images/animated-images.ts'
import type { Adapters } from '../libraries/adapters.ts'
import type { Timelines } from '../libraries/timelines.ts'
import type { VideoFrames } from '../media/video-frames.ts'
import type { Animations } from '../motion/animations.ts'
import type { Indeterminate } from '../motion/indeterminate.ts'
import type { Smil } from '../motion/smil.ts'
import type { Observers } from '../observers/observers.ts'
import type { Realm } from '../realm/natives.ts'
import { dispatchSeek, type SeekEventParts } from './frame-events.ts'
import { inScope, type SettlingParts, settle } from './settling.ts'

/** Rounds of event handlers that may change the page within one frame. */
const MAX_ROUNDS = 8

/** The parts of the page that a frame changes. */
export interface SeekParts extends SeekEventParts, SettlingParts {
  readonly config: { readonly fps: number; readonly fpsDivisor?: number }
  readonly clock: Clock
  /** The random numbers of every window. */
  readonly random: { seed(value: number): void }
  readonly timelines: Timelines
  readonly adapters: Adapters
  readonly animations: Animations
  readonly hiddenTrees: HiddenTrees
  readonly indeterminate: Indeterminate
  readonly smil: Smil
  readonly clips: Clips
  readonly gradings: Gradings
  readonly videoFrames: VideoFrames
  readonly animatedImages: AnimatedImages
  readonly observers: readonly Observers[]
  readonly realms: ReadonlySet<Realm>
}

/** Limit on the refresh rate that a root may declare. */
const MAX_REFRESH_RATE = 1000

/** Milliseconds between frame callbacks by the root's refresh rate; undefined if it has none. */
const refreshInterval = (): number | undefined => {
  const rate = Number(document.querySelector('[data-vid-root]')?.getAttribute(REFRESH_RATE) ?? 0)
  return rate > 0 && rate <= MAX_REFRESH_RATE ? 1000 / rate : undefined
}

/** Part of a refresh interval by which times that are equal may differ. */
const EPSILON = 1e-6

/** Runs frame callbacks on the grid of the refresh rate, between the frame that is shown and the next. */
const runBetween = async ({ clock, timers, frames }: SeekParts, untilMs: number, stepMs: number): Promise<void> => {
  let tick = Math.floor(clock.nowMs / stepMs + EPSILON) + 1
  for (; frames.size > 0 && tick < untilMs / stepMs - EPSILON; tick++) {
    await timers.runUntil(tick * stepMs)
    await frames.run((call) => call())
  }
}

// Only now, so that it does not depend on how fast a page has begun what its scripts see in work that is due at once.
const moveTo = (clock: Clock, timeMs: number) => {
  clock.nowMs = timeMs
  clock.hasMoved = true
}

/** Whether frame callbacks run at a time: always, or on the grid of the refresh rate. */
const isCallbackTime = (timeMs: number, stepMs: number | undefined): boolean =>
  stepMs === undefined || Math.abs(timeMs / stepMs - Math.round(timeMs / stepMs)) < EPSILON

/** The time of a frame. */
const secondsOf = ({ config: { fps, fpsDivisor = 1 } }: SeekParts, frame: number): number => (frame * fpsDivisor) / fps

const showFrame = async (page: SeekParts, frame: number, isReplayed: boolean) => {
  const { clock, animations, clips, frames, timers } = page
  const seconds = secondsOf(page, frame)
  const timeMs = seconds * 1000
  page.gradings.hide()
  frames.closeScope()
  page.workers.nextFrame()
  if (!isReplayed) page.random.seed(frame)
  const stepMs = refreshInterval()
  if (stepMs !== undefined) await runBetween(page, timeMs, stepMs)
  await timers.runUntil(timeMs)
  moveTo(clock, timeMs)
  await Promise.all([page.smil.sync(), page.videoFrames.show(frame), page.animatedImages.show()])
  inScope(page, () => {
    const { windowOf } = page.windows()
    page.timelines.seek(seconds, windowOf)
    page.adapters.seek(seconds, windowOf, (promise, detail) => page.pending.track(promise, detail, true))
    clips.show(page.windows(), seconds)
    dispatchSeek(page, seconds, frame)
    page.adapters.update()
    page.videoFrames.runCallbacks(seconds)
  })
  if (frames.size && isCallbackTime(timeMs, stepMs)) {
    animations.sync(timeMs)
    await frames.run((call) => inScope(page, call))
  }
  await settle(page)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    clips.show(page.windows(), seconds)
    await Promise.all([page.smil.sync(), page.animatedImages.show()])
    while (page.hiddenTrees.hasClosed()) await page.hiddenTrees.open()
    page.indeterminate.sync()
    const hasObserved = inScope(page, () => page.observers.map((observer) => observer.run()).includes(true))
    if (!animations.sync(timeMs) && !hasObserved) break
    await settle(page)
  }
  await page.workers.showCanvases()
  await page.videoFrames.fit(frame)
  page.gradings.show()
}

/** Passes a frame that is not shown, in a page whose scripts do nothing by themselves: what starts in it, starts. */
const passFrame = async (page: SeekParts, frame: number): Promise<void> => {
  const seconds = secondsOf(page, frame)
  page.animations.advance(seconds * 1000)
  moveTo(page.clock, seconds * 1000)
  await page.smil.sync()
  page.timelines.seek(seconds, page.windows().windowOf)
  page.clips.show(page.windows(), seconds)
  page.animations.sync(seconds * 1000)
  // As the painting of a frame that is shown does.
  for (const { document } of page.realms) void document.documentElement?.offsetHeight
}

/** Creates `seek`: shows frames in order, and each frame in between as far as the page depends on it. */
export const createSeek = (page: SeekParts, probe: () => Pick<ProbeReport, 'stateful' | 'selfStarting'>) => {
  let shown = -1
  let last: Promise<void> = Promise.resolve()
  const go = async (frame: number) => {
    if (!page.clock.started) throw new Error(`seek(${frame}) before begin()`)
    if (frame < shown) throw new Error(`seek(${frame}) after frame ${shown}: a page only seeks forwards`)
    const { stateful, selfStarting } = probe()
    while (shown < frame) {
      if (selfStarting) for (let passed = shown + 1; passed < frame; passed++) await passFrame(page, passed)
      const next = stateful ? shown + 1 : frame
      if (stateful || selfStarting) page.animations.advance(secondsOf(page, next) * 1000)
      await showFrame(page, next, stateful)
      shown = next
    }
  }
  return (frame: number): Promise<void> => {
    const seeking = last.then(() => go(frame))
    last = seeking.catch(() => undefined)
    return seeking
  }
}
