import type { RenderPlan, ShownFrame } from '@vid/kernel'
import { imageSettings, type LaneKind } from '../driver/lane.ts'
import { takeFrame } from '../lanes/lane-begin-frame.ts'
import type { CompositionPage } from '../page/composition-page.ts'

/** Parts of a frame in which its pictures are drawn on command, beside the three of a capture. */
const PICTURE_PART = 3

/** Distance between the pictures of one frame, as a part of it, since time must advance for each. */
const PICTURE_STEP = 1 / 1024

/** Brings a page to a frame and keeps it there; `composition` must not have passed it. */
export const showFrame = async (
  { frameControl }: Pick<LaneKind, 'frameControl'>,
  composition: CompositionPage,
  frame: number,
  plan: RenderPlan,
): Promise<ShownFrame> => {
  const { page, ticks } = composition
  await composition.prepare(plan, frame, frame + 1)
  await composition.seek(frame, true)
  await composition.reportErrors()
  const settings = imageSettings('png')
  let part = PICTURE_PART
  const draw = () => {
    if (!frameControl) return page.screenshot(settings)
    part = Math.min(part + PICTURE_STEP, PICTURE_PART + 1 - PICTURE_STEP)
    return takeFrame(page, ticks, { frame, part, settings })
  }
  return {
    evaluate: (expression) => page.evaluate(expression, `examining frame ${frame}`),
    picture: async () =>
      Buffer.from(await page.alive(draw(), `drawing frame ${frame}`, 'VID_FRAME_NOT_DRAWN'), 'base64'),
  }
}

/**
 * A page of a session that shows single frames, and is opened again to go backwards. Frames of renders are not
 * captured from it, since its caller may change it.
 */
export const createExaminedPage = (kind: Pick<LaneKind, 'frameControl'>, open: () => Promise<CompositionPage>) => {
  let examined: CompositionPage | undefined
  return async (frame: number, plan: RenderPlan): Promise<ShownFrame> => {
    if (examined && examined.shown() >= frame) {
      await examined.page.close()
      examined = undefined
    }
    examined ??= await open()
    return showFrame(kind, examined, frame, plan)
  }
}
