import type { PageConfig } from '../../contract/page-config.ts'
import type { RasterAnswer, RasterHost, RasterRange, RasterUnfit } from '../../contract/raster.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'
import { createHappenings } from './happenings.ts'
import { createPictureCollection } from './picture-collection.ts'
import { createRasterEligibility, type EligibilityParts } from './raster-eligibility.ts'
import type { RasterDone, RasterKeep } from './raster-jobs.ts'
import { installStage, type RasterStage } from './raster-stage.ts'
import { type SendJob, startRasterWorker } from './raster-worker-link.ts'
import { createStillBackgrounds } from './still-backgrounds.ts'

/** A frame that was sent to the worker, or the reason why it cannot be. */
type Captured = { readonly done: Promise<RasterDone>; readonly isHappening: boolean } | { readonly unfit: string }

/** A range, as far as it matters for a frame that is shown. */
type ShownRange = Omit<RasterRange, 'frames'>

/** Real milliseconds after which a run of repeats is reported, so that a working page does not look hung. */
const RUN_MS = 100

/** The parts of the page that are captured. */
export interface RasterParts extends Pick<EligibilityParts, 'trees' | 'treesIn' | 'styled' | 'animated'> {
  readonly realm: Realm
  readonly config: PageConfig & { readonly raster: NonNullable<PageConfig['raster']> }
  seek(frame: number): Promise<void>
  /** Whether a video's picture has the size of the video. */
  fits(video: Element): boolean
}

const unfitOf = ({ problem, isLost }: Extract<RasterDone, { problem: string }>): RasterUnfit => ({
  unfit: problem,
  ...(isLost && { isLost }),
})

const answerOf = async (captured: Captured): Promise<RasterAnswer> => {
  if ('unfit' in captured) return captured
  const done = await captured.done
  if ('problem' in done) return unfitOf(done)
  return 'drawn' in done && done.drawn.length > 0 ? { drawn: done.drawn } : 'repeat'
}

/** Puts the stage around the body as soon as there is one, so that scripts measure the final layout. */
const watchBody = (realm: Realm, config: PageConfig) => {
  const { document } = realm
  let stage: RasterStage | undefined
  let hasShadow = false
  const observer = new realm.MutationObserver(() => {
    if (!document.body) return
    if (!stage) {
      stage = installStage(document.body, config)
      // Until the first frame, scripts may measure whatever the parser or another script has changed.
      observer.observe(document.body, { attributeFilter: ['class', 'style', 'data-vid-root'] })
    }
    stage?.arrange(natives.getComputedStyle(stage.body))
  })
  observer.observe(document, { childList: true, subtree: true })
  const { attachShadow } = realm.Element.prototype
  replaceMethod(realm.Element.prototype, 'attachShadow', function (this: Element, init) {
    if (this !== stage?.body) return attachShadow.call(this, init)
    // The stage occupies the body's only shadow tree, so the page will be captured in another lane. Its scripts continue.
    hasShadow = true
    return attachShadow.call(document.createElement('div'), init)
  })
  return {
    stage: () => stage,
    /** From now on, each check forces a layout. */
    capturing: () => observer.disconnect(),
    problem(): string | undefined {
      if (hasShadow) return 'the body has a shadow tree of its own'
      if (!stage) return 'the body cannot be put into a canvas'
      return document.body === stage.body ? undefined : 'a script has replaced the body'
    },
  }
}

type Eligibility = ReturnType<typeof createRasterEligibility>

/** Takes pictures of the stage, which hold memory of the browser until they are collected. */
const createPictures = ({ width, height, scale = 1 }: RasterParts['config'], eligibility: Eligibility) => {
  const pictures = createPictureCollection(Math.round(width * height * scale ** 2) * 4)
  const take = ({ canvas, stage }: RasterStage) => {
    const picture = canvas.captureElementImage(stage)
    pictures.add(eligibility.countImages())
    return picture
  }
  return {
    take,
    /** Captures the shown frame as it is compared, where its screenshot differs from it; returns whether it did. */
    async takeComparable(stage: RasterStage, post: SendJob, job: Omit<RasterKeep, 'picture'>) {
      if (!eligibility.hideTransformedBackdrops()) return false
      const painting = stage.paint(() => {
        const picture = take(stage)
        // If the worker fails, so does the comparison.
        void post({ picture, ...job }, [picture])
        return true
      })
      return painting.finally(eligibility.restoreTransformedBackdrops)
    },
  }
}

/** What a frame that is shown is captured by. */
interface ShownParts {
  readonly config: RasterParts['config']
  readonly eligibility: Eligibility
  readonly backgrounds: ReturnType<typeof createStillBackgrounds>
  readonly happenings: ReturnType<typeof createHappenings>
}

/** Captures a frame that may be captured, unless nothing has changed since the frame before. */
const createTake = ({ config, eligibility, backgrounds, happenings }: ShownParts) => {
  const pictures = createPictures(config, eligibility)
  return async (stage: RasterStage, post: SendJob, frame: number, slot: number, range: ShownRange) => {
    const { start, planar, keep, keepsHappenings } = range
    backgrounds.update(stage)
    const isHappening = keepsHappenings === true && happenings.look(frame, eligibility.facts())
    const isKept = isHappening || keep.includes(frame)
    const smoothed = isKept && eligibility.hasMovedLayers()
    const misplaced = eligibility.prepare()
    if (misplaced !== undefined) return { unfit: misplaced }
    const isKeptApart = isKept && (await pictures.takeComparable(stage, post, { kept: frame, planar, smoothed }))
    const order = { frame, slot, planar, fresh: frame === start, keep: isKept && !isKeptApart, smoothed }
    return stage.paint((changed): Captured | undefined => {
      const volatile = eligibility.countVolatile()
      if (!changed && !order.fresh && !isKept && volatile === 0) return undefined
      const picture = pictures.take(stage)
      backgrounds.countPicture()
      return { done: post({ picture, ...order }, [picture]), isHappening }
    })
  }
}

/** Starts the worker that draws the pictures of a stage; returns why that failed, if it did. */
const openWorker = async (stage: RasterStage, config: RasterParts['config']) => {
  const canvas = natives.transferControl.call(stage.canvas)
  let send: SendJob
  try {
    send = startRasterWorker()
  } catch (error) {
    // A policy of the page may require trusted script URLs.
    return { problem: `no worker may be started: ${error instanceof Error ? error.message : String(error)}` }
  }
  const done = await send({ canvas, alpha: config.alpha, ...config.raster }, [canvas])
  return 'problem' in done ? { send, problem: done.problem } : { send }
}

/** Captures the frames that the page shows. */
const createShownFrames = ({ realm, config, fits, ...elements }: Omit<RasterParts, 'seek'>) => {
  const backgrounds = createStillBackgrounds(realm, config)
  const eligibility = createRasterEligibility(realm, config, { ...elements, fits, look: backgrounds.look })
  const body = watchBody(realm, config)
  const happenings = createHappenings()
  const take = createTake({ config, eligibility, backgrounds, happenings })
  let send: SendJob | undefined

  const unfitReason = (): string | undefined => {
    const stage = body.stage()
    return body.problem() ?? (stage && eligibility.check(stage))
  }
  return {
    async open(): Promise<string | null> {
      const reason = unfitReason() ?? eligibility.prepare()
      eligibility.restore()
      const stage = body.stage()
      if (!stage || reason !== undefined) return reason ?? null
      body.capturing()
      const { problem, ...opened } = await openWorker(stage, config)
      send = opened.send
      return problem ?? null
    },
    async capture(frame: number, slot: number, range: ShownRange): Promise<Captured | undefined> {
      const reason = unfitReason()
      const stage = body.stage()
      if (!stage || !send || reason !== undefined) return { unfit: reason ?? 'the worker is not open' }
      try {
        return await take(stage, send, frame, slot, range)
      } catch (error) {
        return { unfit: String(error) }
      } finally {
        eligibility.restore()
      }
    },
    /** Frames before a range that must be looked at for what happens in it. */
    missing: happenings.missing,
    /** Looks at the shown frame, which another page captures. */
    look(frame: number) {
      unfitReason()
      happenings.look(frame, eligibility.facts())
    },
    /** Draws a background that is still for the rest of a range; `left` frames are to come. */
    async replaceBackground(left: number) {
      const stage = body.stage()
      if (stage && send) await backgrounds.replaceNext(stage, send, left)
    },
    countStills: backgrounds.count,
    send: (...job: Parameters<SendJob>) => send?.(...job),
  }
}

/** Captures the frames of ranges, in turn. */
const createRuns = (shown: ReturnType<typeof createShownFrames>, seek: RasterParts['seek']) => {
  let sought = -1
  let last: Promise<unknown> = Promise.resolve()
  let coming: (RasterRange & { readonly end: number; next: number }) | undefined

  /** Looks at the frames before the first one of a range, which another page captures. */
  const lookBack = async () => {
    if (!coming?.keepsHappenings || coming.next > coming.start) return
    for (const frame of shown.missing(coming.start)) {
      if (frame <= sought) continue
      await seek(frame)
      shown.look(frame)
    }
  }
  const captureRun = async (slot: number, maxFrames: number) => {
    await lookBack()
    const until = natives.Date.now() + RUN_MS
    let repeats = 0
    const range = coming
    while (range && range.next < range.end && repeats < maxFrames) {
      await shown.replaceBackground(range.end + (range.later ?? 0) - range.next)
      sought = range.next
      await seek(sought)
      const captured = await shown.capture(sought, slot, range)
      if (captured && 'unfit' in captured) return { repeats, captured }
      range.next += 1
      if (captured) return { repeats, captured }
      repeats += 1
      if (natives.Date.now() > until) break
    }
    return { repeats }
  }
  return {
    begin(range: RasterRange) {
      coming = { ...range, end: range.start + range.frames, next: range.start }
    },
    next(slot: number, maxFrames: number) {
      const run = last.then(() => captureRun(slot, maxFrames))
      last = run.catch(() => undefined)
      return run
    },
  }
}

/** Creates the capture of a page as an element. */
export const createRaster = ({ seek, ...parts }: RasterParts): RasterHost => {
  const shown = createShownFrames(parts)
  const runs = createRuns(shown, seek)
  return {
    open: shown.open,
    begin: runs.begin,
    async next(slot, maxFrames) {
      const { repeats, captured } = await runs.next(slot, maxFrames)
      const stills = shown.countStills()
      return {
        repeats,
        ...(captured && { last: await answerOf(captured) }),
        ...(captured && 'isHappening' in captured && captured.isHappening && { isHappening: true as const }),
        ...(stills > 0 && { stills }),
      }
    },
    async draw(slot) {
      const captured = await shown.capture(0, slot, { start: 0, planar: false, keep: [] })
      return captured ? answerOf(captured) : 'repeat'
    },
    async compare(frame, screenshot) {
      const done = await shown.send({ compared: frame, screenshot }, [])
      if (done && 'psnr' in done) return done
      return done && 'problem' in done ? unfitOf(done) : { unfit: 'the worker is not open' }
    },
  }
}
