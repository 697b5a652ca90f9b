import type { CaptureSession, Frame, FrameFormat, RenderPlan, Segment } from '@vid/kernel'
import { chooseFormat, type LaneKind } from '../driver/lane.ts'
import { hdrFrames } from '../lanes/lane-hdr.ts'
import { imageFrames } from '../lanes/lane-image.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import { createExaminedPage } from './examined-page.ts'
import type { PagePlan } from './session-options.ts'
import type { SessionPages } from './session-pages.ts'
import { createProbe } from './session-probe.ts'

/** A session that captures its pages as images. */
export const imageSession = async (
  { openPlain, inputs, report, close }: SessionPages,
  kind: LaneKind,
  plan: PagePlan,
): Promise<CaptureSession> => {
  const first = await openPlain()
  const { alpha } = plan
  const isReduced = first.page.reduction > 1
  let page: CompositionPage | undefined = first
  /** A page of its own for what changes pages; one that has shown nothing yet is taken first. */
  const openExamined = async (): Promise<CompositionPage> => {
    if (!page || page.shown() >= 0) return openPlain()
    const unused = page
    page = undefined
    return unused
  }
  return {
    probe: createProbe(first, plan, openPlain),
    async *frames(range: Segment, accepts: readonly FrameFormat[], full?: RenderPlan): AsyncGenerator<Frame> {
      if (page && page.shown() >= range.start) {
        await page.page.close()
        page = undefined
      }
      page ??= await openPlain()
      if (full) await page.prepare(full, range.start, range.start + range.frames)
      if (full?.hdr && accepts.includes('yuv420p10')) yield* hdrFrames(kind, page, range, full, full.hdr)
      else yield* imageFrames(kind, page, range, chooseFormat(kind, accepts, { alpha, isReduced }))
    },
    show: createExaminedPage(kind, openExamined),
    inputs,
    report,
    lane: () => kind.name,
    close,
  }
}
