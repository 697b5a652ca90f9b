import type { PageMedia } from '../../contract/media.ts'
import { readPlayback } from '../document/playback.ts'
import type { Page } from '../page.ts'
import { natives } from '../realm/natives.ts'
import { replaceAccessor } from '../realm/replace.ts'
import { pictured } from './painted.ts'
import { browser } from './player-natives.ts'

/** Offset in seconds above which a video is seeked; below it, its speed is adjusted. */
const MAX_DRIFT_SECONDS = 0.25

/** Relative speed change of a video that is late or early. */
const CORRECTION = 0.08

/**
 * Tolerance above the rounding of timestamps in containers; a render also shows the frame that begins this much later.
 */
const ROUNDING_SECONDS = 0.002

const MAX_RATE = 16
const HAVE_METADATA = 1
const HAVE_CURRENT_DATA = 2

/** The videos of a page, played by the browser without sound. */
export interface NativeVideos {
  /**
   * Plays the videos in their windows at a speed from the clock's time; 0 seeks to that time and waits for the picture.
   */
  follow(rate: number): Promise<void>
  /** Stops the videos and shows the page's pictures instead of their own. */
  leave(): void
  /** Ids of the videos that show the browser's own pictures. */
  shown(): readonly string[]
}

const { media } = browser

/** Prevents the browser from playing media with `autoplay` in a document or a shadow tree. */
export const stillMedia = (tree: Document | ShadowRoot): void => {
  const still = (node: Node) => {
    if (node instanceof HTMLMediaElement) media.pause.call(node)
    else if (node instanceof Element || node === tree)
      for (const element of (node as ParentNode).querySelectorAll('video,audio')) still(element)
  }
  const observer = new browser.MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) still(node)
  })
  observer.observe(tree, { subtree: true, childList: true })
  still(tree)
}

/** The value of `muted` that the page sees while the browser plays an element without sound. */
const muted = new WeakMap<HTMLMediaElement, boolean>()

/** Lets a player mute an element without the page seeing it; runs before the page script reads the property. */
export const hideMuting = (): void =>
  replaceAccessor(HTMLMediaElement.prototype, 'muted', {
    get(this: HTMLMediaElement) {
      return muted.get(this) ?? media.muted.get(this)
    },
    set(this: HTMLMediaElement, value: boolean) {
      if (muted.has(this)) muted.set(this, Boolean(value))
      else media.muted.set(this, value)
    },
  })

const seekTo = (video: HTMLVideoElement, seconds: number): void => media.currentTime.set(video, seconds)

const isSettled = (video: HTMLVideoElement): boolean =>
  media.readyState.get(video) >= HAVE_CURRENT_DATA && !media.seeking.get(video)

/** Resolves when a video shows the position that it was seeked to, or fails. */
const settled = (video: HTMLVideoElement): Promise<void> =>
  new Promise((resolve) => {
    if (isSettled(video)) return resolve()
    const check = (event: Event) => {
      if (event.type === 'error' || isSettled(video)) resolve()
    }
    for (const type of ['seeked', 'loadeddata', 'error']) natives.listen.call(video, type, check)
  })

/** The videos among a page's media. */
export const createNativeVideos = (page: Page, listed: readonly PageMedia[]): NativeVideos => {
  const videos = listed.flatMap(({ id }) => {
    const element = page.media.elementOf(id)
    return element instanceof HTMLVideoElement ? [{ id, video: element }] : []
  })
  const driven = new Set<HTMLVideoElement>()
  const { fps, fpsDivisor = 1 } = page.config
  const frameSeconds = fpsDivisor / fps

  const isUsed = (video: HTMLVideoElement, seconds: number) => {
    const { start, end } = page.media.windowOf(video)
    return page.media.factsOf(video) !== undefined && seconds >= start - 1e-6 && seconds < end - 1e-6
  }
  const take = (video: HTMLVideoElement) => {
    if (driven.has(video)) return
    driven.add(video)
    muted.set(video, media.muted.get(video))
    media.muted.set(video, true)
  }
  /** Sets the position of a video, even if the browser has not read its metadata yet. */
  const place = async (video: HTMLVideoElement, seconds: number) => {
    if (media.readyState.get(video) < HAVE_METADATA) {
      video.preload = 'auto'
      media.load.call(video)
    }
    // A browser rounds a position to microseconds, and draws nothing if it is already there.
    if (isSettled(video) && Math.abs(media.currentTime.get(video) - seconds) < 2e-6) return
    seekTo(video, seconds)
    const sought = settled(video)
    await Promise.all([sought, pictured(video, sought)])
  }
  const correct = (video: HTMLVideoElement, seconds: number, rate: number) => {
    const behind = seconds - media.currentTime.get(video)
    if (Math.abs(behind) > MAX_DRIFT_SECONDS && !media.seeking.get(video)) seekTo(video, seconds)
    const isOff = Math.abs(behind) > (frameSeconds * rate) / 2
    const speed = isOff ? rate * (1 + Math.sign(behind) * CORRECTION) : rate
    if (media.playbackRate.get(video) !== speed) media.playbackRate.set(video, speed)
  }
  const run = (video: HTMLVideoElement, rate: number) => {
    // The page script shows scripts the position that follows from the clock.
    const expected = video.currentTime
    const isOver = !video.loop && expected >= video.duration - frameSeconds / 2
    if (isOver) return void media.pause.call(video)
    const speed = Math.min(MAX_RATE, rate * readPlayback(video).rate)
    if (media.paused.get(video)) {
      seekTo(video, expected)
      media.play.call(video).catch(() => undefined) // a pause that comes first
    }
    correct(video, expected, speed)
  }

  return {
    async follow(rate) {
      const seconds = page.clock.nowMs / 1000
      const used = videos.filter(({ video }) => isUsed(video, seconds)).map(({ video }) => video)
      for (const { video } of videos) if (!used.includes(video) && driven.has(video)) media.pause.call(video)
      for (const video of used) take(video)
      if (rate > 0) for (const video of used) run(video, rate)
      else
        await Promise.all(
          used.map(async (video) => {
            media.pause.call(video)
            await place(video, Math.min(video.currentTime + ROUNDING_SECONDS, Math.max(0, video.duration - 1e-3)))
          }),
        )
    },
    leave() {
      for (const video of driven) {
        // The last picture of a video covers its poster until it is reloaded.
        media.load.call(video)
        media.pause.call(video)
        media.muted.set(video, muted.get(video) ?? false)
        muted.delete(video)
      }
      driven.clear()
    },
    shown: () => videos.filter(({ video }) => driven.has(video)).map(({ id }) => id),
  }
}
