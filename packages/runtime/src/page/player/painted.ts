import { browser } from './player-natives.ts'

/** How long a page is waited for that is not drawn, such as one in a hidden tab, in milliseconds. */
const NOT_DRAWN_MS = 250

/**
 * Resolves when the browser draws the next picture of a video, which may come after the end of its seek; `settled`
 * resolves at that end, from which on a page that is not drawn is waited for.
 */
export const pictured = (video: HTMLVideoElement, settled: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    browser.video.requestFrame.call(video, () => resolve())
    void settled.then(() => browser.setTimeout(resolve, NOT_DRAWN_MS))
  })

/**
 * Resolves when the browser shows the page as it is now: in the next of its frames it draws the page, and in the one after
 * the picture has arrived where it is put together with those of other pages.
 */
export const painted = (): Promise<void> =>
  new Promise((resolve) => {
    browser.setTimeout(resolve, NOT_DRAWN_MS)
    browser.requestAnimationFrame(() => browser.requestAnimationFrame(() => resolve()))
  })
