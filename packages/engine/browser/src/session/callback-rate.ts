import { createRecentMap, type FrameRate, firstFrameAt, ratioOf, secondsOf, type Warning } from '@vid/protocol'
import { comparePictures, REFRESH_RATE, WINDOW_RATE } from '@vid/runtime'
import { captureWarning } from '../capture-warnings.ts'
import type { LaneKind } from '../driver/lane.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import { decodeScreenshot, type RgbaPixels } from '../pictures/png.ts'
import { createPictures } from './examined-page.ts'
import type { PagePlan } from './session-options.ts'
import type { SessionPages } from './session-pages.ts'

/** The moments between which a page is looked at, in seconds: late enough that its loops have begun. */
const FROM_SECONDS = 0.25
const UNTIL_SECONDS = 0.5

/** Pictures that are more alike than this are the same, in dB. */
const SAME_PSNR = 45

/** By how many dB pictures of two rates are less alike than two frames in a row, where more than chance moves them. */
const FARTHER = 1

/** The frames between which a page is looked at of which each takes long. */
const COSTLY_FRAMES = [2, 5] as const

/** The frame at which calls of both rates are due at once, or nearly so. */
export const comparedFrame = (fps: FrameRate, isCostly = false): number => {
  const [first, last] = isCostly ? COSTLY_FRAMES : [firstFrameAt(FROM_SECONDS, fps), firstFrameAt(UNTIL_SECONDS, fps)]
  const count = Math.max(1, last - first + 1)
  const gapAt = (frame: number) => {
    const calls = secondsOf(frame, fps) * WINDOW_RATE
    return Math.abs(calls - Math.round(calls))
  }
  return Array.from({ length: count }, (_, index) => first + index).reduce((best, frame) =>
    gapAt(frame) < gapAt(best) - 1e-6 ? frame : best,
  )
}

const psnrOf = (one: RgbaPixels, other: RgbaPixels): number => {
  const { width, height } = one
  return comparePictures(one.data, other.data, { width, height, planar: false }).psnr ?? Number.POSITIVE_INFINITY
}

/** What was found of pages, by all files that they have read, for the rows of a batch and later renders of the process. */
const warnings = createRecentMap<string, { readonly warning?: Warning }>(200)

/**
 * Finds out whether loops of a page count the calls of their frame callbacks, by what it shows: two pages come to one
 * moment with callbacks at both rates. Loops that only read the time show the same, and those that draw by chance differ
 * by as much as two frames in a row. Warns if they count.
 */
export const testCallbackRate = async (
  { openPlain, inputs, warn }: Pick<SessionPages, 'openPlain' | 'inputs' | 'warn'>,
  kind: Pick<LaneKind, 'frameControl'>,
  { fps, length, isCostly }: Pick<PagePlan, 'fps'> & { readonly length: number; readonly isCostly: boolean },
): Promise<void> => {
  const frame = Math.min(comparedFrame(fps, isCostly), length - 1)
  if (frame < 1) return
  const show = async (frames: readonly number[], prepare?: (page: CompositionPage) => Promise<unknown>) => {
    const composition = await openPlain()
    try {
      await prepare?.(composition)
      const pictures: RgbaPixels[] = []
      for (const each of frames) {
        await composition.seek(each, true)
        const picture = decodeScreenshot(Buffer.from(await createPictures(kind, composition, each)(), 'base64'))
        if (picture) pictures.push(picture)
      }
      return pictures
    } finally {
      await composition.page.close()
    }
  }
  const setRate = `document.querySelector('[data-vid-root]')?.setAttribute('${REFRESH_RATE}', '${WINDOW_RATE}')`
  const test = async (): Promise<{ readonly warning?: Warning }> => {
    // One after the other: of two pages that are drawn on command at once, frames come without a picture.
    const [before, here] = await show([frame - 1, frame])
    const [there] = await show([frame], ({ page }) => page.evaluate(setRate, 'loading'))
    if (!before || !here || !there) return {}
    const psnr = psnrOf(here, there)
    if (psnr >= SAME_PSNR || psnr > psnrOf(before, here) - FARTHER) return {}
    const { num, den } = ratioOf(fps)
    const rate = Number((num / den).toFixed(3))
    const seconds = secondsOf(frame, fps).toFixed(1)
    const message = `A loop of requestAnimationFrame moves by the number of its calls: ${rate} in a second here, ${WINDOW_RATE} in most browser windows, so that the picture after ${seconds} s is another one (${psnr.toFixed(1)} dB PSNR). Move by the time that has passed, or give the root ${REFRESH_RATE}="${WINDOW_RATE}".`
    return { warning: captureWarning('VID_PAGE_DIFFERS', { message }) }
  }
  const key = JSON.stringify([fps, (await inputs()).map(({ source, digest }) => [source, digest])])
  // What is wrong with the page, or with the browser, is said where its frames are captured.
  const answer = warnings.get(key) ?? (await test().catch(() => undefined))
  if (!answer) return
  warnings.set(key, answer)
  if (answer.warning) warn(answer.warning)
}
