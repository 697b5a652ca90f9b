import type { PageConfig, RasterAnswer, RasterHost, RasterRange } from '../../contract.ts'
import { natives, type Realm } from '../natives.ts'
import { replaceMethod } from '../replace.ts'
import { compare } from './likeness.ts'
import { createRasterGate } from './raster-eligibility.ts'
import { installStage, type RasterStage } from './raster-stage.ts'
import { type RasterDone, type RasterJob, rasterWorker } from './raster-worker.ts'

/** A frame that was given to the worker, or why it cannot be. */
type Captured = { readonly done: Promise<RasterDone> } | { readonly unfit: string }

/** Real milliseconds after which a run of repeats is told of: a page that works must not look stuck. */
const RUN_MS = 100

const answerOf = async (captured: Captured): Promise<RasterAnswer> => {
  if ('unfit' in captured) return captured
  const done = await captured.done
  if ('problem' in done) return { unfit: done.problem }
  return 'drawn' in done && done.drawn ? 'drawn' : 'repeat'
}

/** Makes the capture of a page as an element; it waits for the body, so that scripts measure the final layout. */
export const createRaster = (
  realm: Realm,
  config: PageConfig & { readonly raster: NonNullable<PageConfig['raster']> },
  seek: (frame: number) => Promise<void>,
  animated: () => Iterable<Element>,
  fits: (video: Element) => boolean,
): RasterHost => {
  const { document } = realm
  const gate = createRasterGate(realm, config, animated, fits)
  let stage: RasterStage | undefined
  let send: ((job: RasterJob, transfer: Transferable[]) => Promise<RasterDone>) | undefined
  let last: Promise<unknown> = Promise.resolve()
  let hasOwnTree = false
  let coming: (RasterRange & { readonly end: number; at: number }) | undefined

  const install = () => {
    if (!document.body) return
    observer.disconnect()
    stage = installStage(document.body, config)
  }
  const observer = new realm.MutationObserver(install)
  observer.observe(document, { childList: true, subtree: true })

  const { attachShadow } = realm.Element.prototype
  replaceMethod(realm.Element.prototype, 'attachShadow', function (this: Element, init) {
    if (this !== stage?.body) return attachShadow.call(this, init)
    // The place is taken. This page is given up for one that has it; until then its scripts run on.
    hasOwnTree = true
    return attachShadow.call(document.createElement('div'), init)
  })

  const unfit = (): string | undefined => {
    if (hasOwnTree) return 'the body has a shadow tree of its own'
    if (!stage) return 'the body cannot be put into a canvas'
    if (document.body !== stage.body) return 'a script has replaced the body'
    return gate.check(stage)
  }

  /** Shows a frame and captures it, unless nothing has changed since the one before. */
  const capture = async (frame: number, slot: number, { start, planar, keep }: RasterRange) => {
    await seek(frame)
    const reason = unfit()
    if (!stage || !send || reason !== undefined) return { unfit: reason ?? 'the worker is not open' }
    const [{ canvas, stage: element }, post] = [stage, send]
    const order = { frame, slot, planar, fresh: frame === start, keep: keep.includes(frame) }
    return stage.paint((changed): Captured | undefined => {
      if (!changed && !order.fresh && !order.keep && !gate.isVolatile()) return undefined
      try {
        const picture = canvas.captureElementImage(element)
        weigh(config)
        return { done: post({ picture, ...order }, [picture]) }
      } catch (error) {
        return { unfit: String(error) }
      }
    })
  }

  const captureRun = async (slot: number, most: number) => {
    const until = natives.Date.now() + RUN_MS
    let repeats = 0
    while (coming && coming.at < coming.end && repeats < most) {
      const captured = await capture(coming.at, slot, coming)
      if (captured && 'unfit' in captured) return { repeats, captured }
      coming.at += 1
      if (captured) return { repeats, captured }
      repeats += 1
      if (natives.Date.now() > until) break
    }
    return { repeats }
  }

  return {
    async open() {
      const reason = unfit()
      if (!stage || reason !== undefined) return reason ?? null
      const canvas = stage.canvas.transferControlToOffscreen()
      try {
        send = startWorker()
      } catch (error) {
        // A policy of the page may demand that its own code vouches for the address.
        return `no worker may be started: ${error instanceof Error ? error.message : String(error)}`
      }
      const job = { canvas, alpha: config.alpha, ...config.raster }
      const done = await send(job, [canvas])
      return 'problem' in done ? done.problem : null
    },
    begin(range) {
      coming = { ...range, end: range.start + range.frames, at: range.start }
    },
    async next(slot, most) {
      const run = last.then(() => captureRun(slot, most))
      last = run.catch(() => undefined)
      const { repeats, captured } = await run
      return captured ? { repeats, last: await answerOf(captured) } : { repeats }
    },
    async compare(frame, screenshot) {
      const done = await send?.({ compared: frame, screenshot }, [])
      if (done && 'psnr' in done) return done
      return { unfit: done && 'problem' in done ? done.problem : 'the worker is not open' }
    },
  }
}

/**
 * Counts a picture as more than it weighs, at no cost. The browser itself counts nothing: it would collect those that
 * were given away, with all the images in them, only after hundreds.
 */
const weigh = ({ width, height }: PageConfig) => new ArrayBuffer(width * height * 16)

/** Starts the worker; it answers jobs in the order that they are sent. */
const startWorker = () => {
  const source = new natives.Blob([`(${rasterWorker})(self,${compare})`], { type: 'text/javascript' })
  const worker = new natives.Worker(natives.createObjectURL.call(URL, source))
  const waiting: ((done: RasterDone) => void)[] = []
  worker.onmessage = ({ data }: MessageEvent<RasterDone>) => waiting.shift()?.(data)
  worker.onerror = ({ message }) => {
    const problem = `the worker failed: ${message || 'its script was refused'}`
    for (const answer of waiting.splice(0)) answer({ problem })
  }
  return (job: RasterJob, transfer: Transferable[]): Promise<RasterDone> =>
    new Promise((resolve) => {
      waiting.push(resolve)
      natives.postToWorker.call(worker, job, transfer)
    })
}
