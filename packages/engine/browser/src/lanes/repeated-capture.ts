import { comparePictures } from '@vid/runtime'
import { imageSettings } from '../driver/lane.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import { callPage } from '../page/page-call.ts'
import { decodeScreenshot } from '../pictures/png.ts'
import type { Repetition } from '../repetition.ts'
import { findDifference } from './samples.ts'

/** Takes the screenshot of a shown frame as it is compared, a PNG in base64. */
export const takeReference = async ({ page, shown }: CompositionPage): Promise<string> => {
  const doing = `drawing frame ${shown()}`
  await callPage(page, { doing }, 'hideTransformedBackdrops')
  const data = await page.alive(page.screenshot(imageSettings('png')), doing, 'VID_FRAME_NOT_DRAWN')
  await callPage(page, { doing }, 'restoreTransformedBackdrops')
  return data
}

const differ = (one: string, other: string): boolean => {
  if (one === other) return false
  const [first, second] = [one, other].map((data) => decodeScreenshot(Buffer.from(data, 'base64')))
  if (!first || !second) return true
  const { width, height } = first
  return findDifference(comparePictures(first.data, second.data, { width, height, planar: false })) !== undefined
}

/** Frames before a frame at which its second capture stops as long as a slower lane does. */
const PACED_FRAMES = 12

/**
 * Captures a frame again, by the page that shows it and by a new one that `openAgain` opens. The first one has passed the
 * frames before it as fast as it could, the second one takes a picture of each, so that what runs in real time is
 * elsewhere.
 */
export const captureAgain = async (
  composition: CompositionPage,
  screenshot: string,
  openAgain: (first: number) => Promise<CompositionPage>,
): Promise<Repetition> => {
  const frame = composition.shown()
  const isHeld = !differ(screenshot, await takeReference(composition))
  const first = Math.max(0, frame - PACED_FRAMES)
  const again = await openAgain(first)
  let last = screenshot
  for (let shown = first; shown <= frame; shown++) {
    await again.seek(shown, true)
    last = await takeReference(again)
  }
  const isAlike = !differ(screenshot, last)
  return {
    clocks: await callPage(again.page, { doing: `drawing frame ${frame}` }, 'realClocks'),
    ...(!(isHeld && isAlike) && { moves: isHeld ? 'between captures' : 'while held' }),
  }
}
