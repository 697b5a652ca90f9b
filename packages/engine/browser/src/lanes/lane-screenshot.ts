import type { FrameFormat } from '@vid/kernel'
import { createImageFrames, imageFormats, imageSettings, type Lane, type LaneKind } from '../driver/lane.ts'
import type { CapturePage } from '../page/page.ts'

/** Screenshots, which every browser can take. */
export const screenshotKind: LaneKind = { name: 'screenshot', frameControl: false, formats: imageFormats }

/** Takes each frame as a screenshot of what the page shows. */
export const openScreenshotLane = (page: CapturePage, format: FrameFormat): Lane => {
  const frames = createImageFrames(format)
  const settings = imageSettings(format)
  return {
    takesNext: () => true,
    capture: async (frame) => frames.take(frame, await page.screenshot(settings)),
    close: async () => undefined,
  }
}
