import { localTime } from '../document/windows.ts'
import { SEEK_EVENTS } from '../embedded/scoped-window.ts'
import { nextTask } from '../natives.ts'
import type { Page } from '../page.ts'
import { awaitResources, findOpenResources } from '../readiness/resources.ts'

/** Rounds of event handlers that may change the page within one frame. */
const MOST_ROUNDS = 8

const announce = (page: Page, seconds: number, frame: number) => {
  const waitUntil = (promise: Promise<unknown>) =>
    page.pending.track(promise, `waitUntil of frame ${frame}`, true)
  const detail = { time: seconds, frame, waitUntil }
  const { windowOf } = page.windows()
  for (const type of SEEK_EVENTS) {
    page.realm.dispatchEvent(new CustomEvent(type, { detail }))
    for (const { host, seeks } of page.instances.list()) {
      const time = localTime(windowOf(host), seconds)
      if (time !== undefined) seeks.dispatchEvent(new CustomEvent(type, { detail: { ...detail, time } }))
    }
  }
}

/** Runs what a seek makes page code do; timers made meanwhile belong to this frame. */
const inScope = <T>(page: Page, call: () => T): T => {
  page.timers.scope = page.frames.scope = true
  try {
    return call()
  } finally {
    page.timers.scope = page.frames.scope = false
  }
}

/** Waits for what the frame has asked for: promises, requests, images and fonts. */
const settle = async (page: Page) => {
  await nextTask()
  for (;;) {
    await page.timers.runSoon()
    await page.workers.settle()
    const resources = findOpenResources(page.realms)
    const promises = [...page.pending.parts.keys()]
    if (!promises.length && !resources.fonts.length && !resources.images.length) return
    const isNamed = page.pending.named
    page.timers.scope = page.frames.scope = isNamed
    page.timers.release(isNamed ? 'scoped' : 'none')
    page.frames.release(isNamed ? 'scoped' : 'none')
    page.workers.eager = true
    await Promise.all([awaitResources(resources), ...promises])
    page.workers.eager = false
    page.timers.scope = page.frames.scope = false
    page.timers.release('none')
    page.frames.release('none')
    await nextTask()
  }
}

const showFrame = async (page: Page, frame: number, isReplayed: boolean) => {
  const { clock, animations, clips, frames, timers } = page
  const seconds = frame / page.config.fps
  const timeMs = seconds * 1000
  page.gradings.hide()
  frames.closeScope()
  page.workers.nextFrame()
  if (!isReplayed) page.random.seed(frame)
  await timers.runUntil(timeMs)
  clock.nowMs = timeMs
  await Promise.all([page.smil.sync(), page.videoFrames.show(frame), page.animatedImages.show()])
  inScope(page, () => {
    const { windowOf } = page.windows()
    page.timelines.seek(seconds, windowOf)
    page.adapters.seek(seconds, windowOf, (promise, detail) => page.pending.track(promise, detail, true))
    clips.show(page.windows(), seconds)
    announce(page, seconds, frame)
    page.videoFrames.tell(seconds)
  })
  if (frames.size) {
    animations.sync(timeMs)
    await frames.run((call) => inScope(page, call))
  }
  await settle(page)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    clips.show(page.windows(), seconds)
    await Promise.all([page.smil.sync(), page.animatedImages.show()])
    const isTold = inScope(page, () => page.observers.map((each) => each.run()).includes(true))
    if (!animations.sync(timeMs) && !isTold) break
    await settle(page)
  }
  await page.videoFrames.fit(frame)
  page.gradings.show()
}

/** Makes `seek`: frames in order, every one between when the page keeps state. */
export const createSeek = (page: Page, isStateful: () => boolean) => {
  let shown = -1
  let last: Promise<void> = Promise.resolve()
  const go = async (frame: number) => {
    if (!page.clock.started) throw new Error(`seek(${frame}) before begin()`)
    if (frame < shown) throw new Error(`seek(${frame}) after frame ${shown}: a page is seeked forwards only`)
    while (shown < frame) {
      const next = isStateful() ? shown + 1 : frame
      await showFrame(page, next, isStateful())
      shown = next
    }
  }
  return (frame: number): Promise<void> => {
    const turn = last.then(() => go(frame))
    last = turn.catch(() => undefined)
    return turn
  }
}
