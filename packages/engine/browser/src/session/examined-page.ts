import { frameBytes, type PixelFrame, type ShownFrame } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import { imageSettings, type LaneKind } from '../driver/lane.ts'
import { takeFrame } from '../lanes/lane-begin-frame.ts'
import type { RasterPage } from '../lanes/raster/raster-page.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import { pictureSize } from '../pictures/picture-size.ts'

/** Parts of a frame in which its pictures are drawn on command, beside the three of a capture. */
const PICTURE_PART = 3

/** Distance between the pictures of one frame, as a part of it, since time must advance for each. */
const PICTURE_STEP = 1 / 1024

/** Brings a page to a frame, which it must not have passed. */
const bringTo = async (composition: CompositionPage, frame: number, plan: RenderPlan): Promise<void> => {
  await composition.prepare(plan, frame, frame + 1)
  await composition.seek(frame, true)
  await composition.reportErrors()
}

const evaluateIn =
  ({ page }: CompositionPage, frame: number): ShownFrame['evaluate'] =>
  (expression) =>
    page.evaluate(expression, `examining frame ${frame}`)

/** Takes pictures of a frame that a page shows, as PNG in base64. */
export const createPictures = (
  { frameControl }: Pick<LaneKind, 'frameControl'>,
  { page, ticks }: CompositionPage,
  frame: number,
): (() => Promise<string>) => {
  const settings = imageSettings('png')
  let part = PICTURE_PART
  const draw = () => {
    if (!frameControl) return page.screenshot(settings)
    part = Math.min(part + PICTURE_STEP, PICTURE_PART + 1 - PICTURE_STEP)
    return takeFrame(page, ticks, { frame, part, settings })
  }
  return () => page.alive(draw(), `drawing frame ${frame}`, 'VID_FRAME_NOT_DRAWN')
}

/** Brings a page to a frame and keeps it there; `composition` must not have passed it. */
export const showFrame = async (
  kind: Pick<LaneKind, 'frameControl'>,
  composition: CompositionPage,
  frame: number,
  plan: RenderPlan,
): Promise<ShownFrame> => {
  await bringTo(composition, frame, plan)
  const take = createPictures(kind, composition, frame)
  return {
    evaluate: evaluateIn(composition, frame),
    picture: async () => Buffer.from(await take(), 'base64'),
  }
}

/** Like `showFrame`, for a page that draws itself as an element. */
const showPixels = async (raster: RasterPage, frame: number, plan: RenderPlan): Promise<PixelFrame> => {
  await bringTo(raster, frame, plan)
  const { width, height } = pictureSize(raster.page.config)
  return {
    evaluate: evaluateIn(raster, frame),
    async pixels() {
      const pixels = new Uint8Array(frameBytes('rgba', width, height) ?? 0)
      await raster.draw(pixels)
      return pixels
    },
  }
}

/** Gets a page that has not passed a frame; the one before it is closed. */
const createPosition = <P extends CompositionPage>(open: () => Promise<P>, close: (page: P) => Promise<void>) => {
  let examined: P | undefined
  return async (frame: number): Promise<P> => {
    if (examined && examined.shown() >= frame) {
      await close(examined)
      examined = undefined
    }
    examined ??= await open()
    return examined
  }
}

/**
 * A page of a session that shows single frames, and is opened again to go backwards. Frames of renders are not
 * captured from it, since its caller may change it.
 */
export const createExaminedPage = (kind: Pick<LaneKind, 'frameControl'>, open: () => Promise<CompositionPage>) => {
  const pageAt = createPosition(open, ({ page }) => page.close())
  return async (frame: number, plan: RenderPlan): Promise<ShownFrame> =>
    showFrame(kind, await pageAt(frame), frame, plan)
}

/** The same with a page that draws itself as an element. */
export const createExaminedRaster = (open: () => Promise<RasterPage>) => {
  const pageAt = createPosition(open, (raster) => raster.close())
  return async (frame: number, plan: RenderPlan): Promise<PixelFrame> => showPixels(await pageAt(frame), frame, plan)
}
