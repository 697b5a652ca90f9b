import type { FrameFormat } from '@vid/kernel'
import { captureFailure } from '../capture-errors.ts'
import {
  createImageFrames,
  type ImageSettings,
  imageFormats,
  imageSettings,
  type Lane,
  type LaneKind,
} from '../driver/lane.ts'
import { beginFrame } from '../page/begin-frame.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import type { FrameTicks } from '../page/frame-ticks.ts'
import type { CapturePage } from '../page/page.ts'

/** Frames drawn on command, by a headless shell that was started for it. */
export const beginFrameKind: LaneKind = { name: 'begin-frame', frameControl: true, formats: imageFormats }

/** Draws one part of a frame and takes its picture, in base64. */
export const takeFrame = async (
  page: CapturePage,
  ticks: FrameTicks,
  { frame, part, settings }: { readonly frame: number; readonly part: number; readonly settings: ImageSettings },
): Promise<string> => {
  const { screenshotData } = await beginFrame(page, ticks, ticks.of(frame, part), settings)
  if (screenshotData !== undefined) return page.reduce(screenshotData)
  // A crashed page returns no picture either; any other command rejects with that reason.
  await page.evaluate('0', 'taking a picture')
  const detail = `frame ${frame} came without a picture`
  throw captureFailure('VID_BROWSER_PROTOCOL', { method: 'HeadlessExperimental.beginFrame', detail })
}

/**
 * While the page moves, each frame is drawn and captured in one call. Once a picture equals the previous one, frames
 * are first drawn without a picture, which is cheap, until one reports damage.
 */
export const openBeginFrameLane = (composition: CompositionPage, format: FrameFormat): Lane => {
  const { page, ticks } = composition
  const frames = createImageFrames(format)
  const settings = imageSettings(format)
  let still = false

  const capture: Lane['capture'] = async (frame) => {
    if (composition.drawsElements) await beginFrame(page, ticks, ticks.of(frame, 0))
    else if (still) {
      const { hasDamage } = await beginFrame(page, ticks, ticks.of(frame, 0))
      const repeat = hasDamage ? undefined : frames.repeat(frame)
      if (repeat) return repeat
      await composition.paintFresh()
    }
    const picture = await takeFrame(page, ticks, { frame, part: 1, settings })
    const output = frames.take(frame, picture)
    still = output.repeat === true
    // Taking a picture causes damage that is not a change of the page; the next check must not see it.
    if (still && !composition.drawsElements) await beginFrame(page, ticks, ticks.of(frame, 2))
    return output
  }
  return { takesNext: () => !still, capture, close: async () => undefined }
}
