import { browser } from './player-natives.ts'

/** Time limit for a page that is not drawn, such as one in a hidden tab, in milliseconds. */
const NOT_DRAWN_MS = 250

/**
 * Resolves when the browser draws the next picture of a video, which may come after the end of its seek; `settled`
 * resolves at that end, when the time limit for a page that is not drawn starts.
 */
export const pictured = (video: HTMLVideoElement, settled: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    browser.video.requestFrame.call(video, () => resolve())
    void settled.then(() => browser.setTimeout(resolve, NOT_DRAWN_MS))
  })

/**
 * Resolves when the browser shows the current state of the page: it draws the page in its next frame, and in the one
 * after that, the picture has reached the compositor.
 */
export const painted = (): Promise<void> =>
  new Promise((resolve) => {
    browser.setTimeout(resolve, NOT_DRAWN_MS)
    browser.requestAnimationFrame(() => browser.requestAnimationFrame(() => resolve()))
  })
