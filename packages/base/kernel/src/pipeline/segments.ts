import { join } from 'node:path'
import { failRender, withoutSecrets } from '@vid/protocol'
import type { SegmentTask } from '../contracts/hooks.ts'
import type { OpenRender } from '../contracts/kernel-types.ts'
import type { CaptureSession, Frame, SegmentJob, SegmentMaker } from '../contracts/roles.ts'
import type { SegmentPart } from '../contracts/targets.ts'
import { holdFrames } from '../frames/held-frames.ts'
import { sharedFormats } from '../frames/shared-frames.ts'
import { outputPlans } from '../plan/draft-plan.ts'
import { encodeOutputs } from './encode-outputs.ts'
import type { Pages } from './pages/pages.ts'
import type { PlanCheck } from './plan-check.ts'
import type { Publisher } from './publish.ts'
import type { Scope } from './scope.ts'
import type { StoreLease } from './store-lease.ts'

/** Counts frames between two plugins; an error of the frames is charged to the plugin that produces them. */
async function* countFrames(
  frames: AsyncIterable<Frame>,
  { onFrame, onCaptured }: SegmentPart,
  count: (read: number, frame: Frame) => void,
  laneOf: () => string | undefined,
): AsyncGenerator<Frame> {
  let read = 0
  try {
    for await (const frame of frames) {
      read += 1
      onFrame?.()
      count(read, frame)
      yield frame
    }
  } finally {
    onCaptured?.(laneOf())
  }
}

const captureOptionsOf = (
  { setup: { capture }, context, signal }: Scope,
  { plan }: SegmentJob,
): SegmentTask['captureOptions'] => {
  const { options } = context(capture, signal, plan.capture.options)
  const shown = capture.optionsSchema ? withoutSecrets(capture.optionsSchema, options) : options
  return shown as SegmentTask['captureOptions']
}

/** What makes the segments of a render. */
interface SegmentTools {
  readonly scope: Scope
  readonly pages: Pages
  readonly encoderOf: PlanCheck['encoderOf']
}

/** What captures and encodes one segment; `counted` counts the frames on their way to the encoder. */
const makerOf = (
  { scope, pages, encoderOf }: SegmentTools,
  job: SegmentJob,
  signal: AbortSignal,
  { onSliceable }: SegmentPart,
  counted: (frames: AsyncIterable<Frame>, laneOf: () => string | undefined) => AsyncIterable<Frame>,
): SegmentMaker => {
  const { plan, index, start, frames } = job
  const plans = outputPlans(plan)
  const accepts = sharedFormats(plans.map((outputPlan) => encoderOf(outputPlan, 'encode').accepts))
  const used = new Set<CaptureSession>()
  let latest: CaptureSession | undefined
  const whole = { index, start, frames }
  return {
    frames: (range = whole) =>
      pages.frames(plan, range, {
        accepts,
        signal,
        onPage(page) {
          used.add(page)
          latest = page
        },
        ...(range === whole && { onSliceable }),
      }),
    inputs: () => pages.inputsOf([...used]),
    warnings: () => pages.warningsOf([...used]),
    encode: (input) =>
      encodeOutputs(
        scope,
        job,
        plans,
        counted(input, () => latest?.lane?.()),
        signal,
      ),
  }
}

/** Creates the function that captures and encodes segments, unless a plugin provides them. */
export const createSegments = (
  scope: Scope,
  pages: Pages,
  { accept, checkBuilds, encoderOf }: PlanCheck,
  store: StoreLease,
  publisher: Publisher | undefined,
): OpenRender['renderSegment'] => {
  const { setup, hooks, context, report, samples, workDir } = scope
  const rendered = new Map<number, number>()
  let attempts = 0

  return async (input, index, part = {}) => {
    const plan = accept(input)
    const segment = plan.segments[index]
    if (!segment) throw failRender('VID_HOOK_UNANSWERED', { hook: 'encode', wanted: `segment ${index}` })
    await checkBuilds(plan)
    const signal = part.signal ? AbortSignal.any([scope.signal, part.signal]) : scope.signal
    attempts += 1
    const path = join(workDir, `segment-${String(index).padStart(5, '0')}-${attempts}`)
    const count = (frames: number) => {
      rendered.set(index, frames)
      const all = [...rendered.values()].reduce((sum, count) => sum + count, 0)
      report('render', all, plan.frames)
    }
    const job = { ...segment, plan, path }
    const make = makerOf({ scope, pages, encoderOf }, job, signal, part, (frames, laneOf) => {
      const counted = countFrames(
        frames,
        part,
        (read, frame) => {
          samples.take(plan, frame)
          count(read)
        },
        laneOf,
      )
      return part.encodeAfter ? holdFrames(counted, part.encodeAfter) : counted
    })
    try {
      const { name = '@vid/kernel' } = setup.store ?? {}
      const { options: _, ...facts } = context({ name, options: {} }, signal)
      const task = { ...facts, segment: job, make, captureOptions: captureOptionsOf(scope, job) }
      const { open: openStore } = store
      const cached = await hooks.segment.promise(openStore ? { ...task, openStore } : task)
      const encoded = cached ?? (await make.encode(make.frames()))
      if (rendered.get(index) !== segment.frames) count(segment.frames)
      const { reused } = encoded
      scope.emit({ type: 'segment-complete', index, frames: segment.frames, ...(reused && { reused }) })
      publisher?.take(plan, index, encoded)
      return encoded
    } catch (thrown) {
      rendered.delete(index)
      throw thrown
    }
  }
}
