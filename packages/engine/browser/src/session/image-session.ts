import type { CaptureSession, Frame, FrameFormat } from '@vid/kernel'
import type { RenderPlan, Segment } from '@vid/protocol'
import { chooseFormat, type LaneKind } from '../driver/lane.ts'
import { captureHdrFrames } from '../lanes/lane-hdr.ts'
import { imageFrames } from '../lanes/lane-image.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import { createExaminedPage } from './examined-page.ts'
import type { PagePlan } from './session-options.ts'
import type { SessionPages } from './session-pages.ts'
import { createProbe } from './session-probe.ts'

/** What is wanted of the pictures of a range. */
interface PictureRequest {
  readonly accepts: readonly FrameFormat[]
  readonly alpha: boolean
  /** The whole plan of the video, which a page that is only examined does not have. */
  readonly full: RenderPlan | undefined
}

/** Captures the frames of a range as images, or from these in the transfer function of an HDR plan. */
export async function* pictureFrames(
  kind: LaneKind,
  composition: CompositionPage,
  range: Pick<Segment, 'start' | 'frames'>,
  { accepts, alpha, full }: PictureRequest,
): AsyncGenerator<Frame> {
  const isReduced = composition.page.reduction > 1
  if (full?.hdr && accepts.includes('yuv420p10')) yield* captureHdrFrames(kind, composition, range, full, full.hdr)
  else yield* imageFrames(kind, composition, range, chooseFormat(kind, accepts, { alpha, isReduced }))
}

/** A session that captures its pages as images. */
export const imageSession = async (pages: SessionPages, kind: LaneKind, plan: PagePlan): Promise<CaptureSession> => {
  const { openPlain, inputs, report, close } = pages
  const first = await openPlain()
  let page: CompositionPage | undefined = first
  /** A page of its own for what changes pages; one that has shown nothing yet is taken first. */
  const openExamined = async (): Promise<CompositionPage> => {
    if (!page || page.shown() >= 0) return openPlain()
    const unused = page
    page = undefined
    return unused
  }
  return {
    probe: createProbe(first, plan, kind, pages),
    async *frames(range: Segment, accepts: readonly FrameFormat[], full?: RenderPlan): AsyncGenerator<Frame> {
      if (page && page.shown() >= range.start) {
        await page.page.close()
        page = undefined
      }
      page ??= await openPlain()
      if (full) await page.prepare(full, range.start, range.start + range.frames)
      yield* pictureFrames(kind, page, range, { accepts, alpha: plan.alpha, full })
    },
    show: createExaminedPage(kind, openExamined),
    inputs,
    report,
    lane: () => kind.name,
    close,
  }
}
