import type { SharedPool } from '@vid/kernel'
import { checkRequest, type RenderPlan, type Warning } from '@vid/protocol'
import { offLostGpu } from '../concurrency/gpu-fallback.ts'
import { renderWithRetries } from '../parts/part-context.ts'
import type { RenderContext } from '../prepare/context.ts'
import { prepareRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'

/** A frame that was captured for a check. */
export interface CheckedFrame {
  readonly frame: number
  /** The lane, such as `raster`; null if the capture engine has only one. */
  readonly lane: string | null
}

/** The result of capturing some frames of a composition. */
export interface CaptureCheck {
  readonly frames: readonly CheckedFrame[]
  /** Those of the whole render, as far as these frames have shown them. */
  readonly warnings: readonly Warning[]
}

/** The signal and the shared resources of a check. */
export interface CheckOptions {
  readonly signal: AbortSignal
  /** Browsers that are shared with other work; their owner closes them. */
  readonly shared?: SharedPool
}

/** Frames that are captured, evenly spread from the first to the last. */
const MAX_FRAMES = 5

/**
 * The frames that stand for all: of a page that depends on the frames before, only the first, which needs no others.
 */
const framesToCheck = ({ frames, composition }: RenderPlan): readonly number[] => {
  const count = composition.stateful ? 1 : MAX_FRAMES
  const spread = Array.from({ length: count }, (_, n) => Math.round(((frames - 1) * n) / Math.max(1, count - 1)))
  return [...new Set(spread)]
}

/**
 * Captures and encodes single frames of a composition as the render of these settings would, in the frame format of its
 * encoder, and delivers nothing. A still does not suffice: it is always a screenshot, and does not test the faster
 * lanes.
 */
export const checkCapture = async (
  settings: RenderSettings,
  context: RenderContext,
  { signal, shared }: CheckOptions,
): Promise<CaptureCheck> => {
  const prepared = await prepareRender({ ...settings, cache: false }, context, { writes: false })
  const { reading } = context
  const lost: Warning[] = []
  const work = async (request: ReturnType<typeof checkRequest>): Promise<CaptureCheck> => {
    const run = await prepared.kernel.open({ projectDir: request.projectDir, signal, shared, reading })
    try {
      const plan = await run.plan(request)
      const frames = framesToCheck(plan)
      const segments = frames.map((start, index) => ({ index, start, frames: 1 }))
      const checked: CheckedFrame[] = []
      for (const [index, frame] of frames.entries()) {
        let lane: string | undefined
        const onCaptured = (captured?: string) => {
          lane = captured
        }
        await renderWithRetries(run, { ...plan, segments }, index, { onCaptured })
        checked.push({ frame: frame + (plan.range?.start ?? 0), lane: lane ?? null })
      }
      return { frames: checked, warnings: run.warnings }
    } finally {
      await run.close()
    }
  }
  const onLoss = (warning: Warning) => void lost.push(warning)
  const check = await offLostGpu(checkRequest(prepared.requests[0]), { signal, onLoss }, work)
  return { ...check, warnings: [...prepared.warnings, ...lost, ...check.warnings] }
}
