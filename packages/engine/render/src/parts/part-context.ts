import { randomUUID } from 'node:crypto'
import {
  createKernel,
  type KernelSetup,
  type OpenRender,
  type PluginOf,
  type RunOptions,
  retrySegment,
  type SegmentPart,
  takesRequests,
} from '@vid/kernel'
import type { RenderPlan, Segment, Warning } from '@vid/protocol'
import type { RenderContext } from '../prepare/context.ts'
import type { PreparedRender } from '../prepare/prepare.ts'
import type { RenderOptions } from '../run/render.ts'

/** The context of the parts of renders in one renderer. */
export interface PartContext {
  readonly context: RenderContext
  /** The plugins of a render, with the store that its caller chose. */
  setupOf(prepared: Pick<PreparedRender, 'kernel'>, store: PluginOf<'store'> | undefined): KernelSetup
  /** Shared with other renders. */
  runOptions(): Pick<RunOptions, 'storeDir' | 'machine' | 'shared' | 'reading'>
  /** Waits until one more part may capture, and captures. */
  inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** Options of a call: its signal, its callbacks, and the store of its segments. */
export interface RendererCallOptions extends RenderOptions {
  /** Store of finished segments in place of the config's, where segments are reused at all. */
  readonly store?: PluginOf<'store'>
  /**
   * Gets the plan of each capture before its first frame. When it resolves to true, the caller has the plan rendered,
   * and the outcome has no result of it. Not called for a target that takes requests whole.
   */
  takePlan?(plan: RenderPlan, warnings: readonly Warning[]): Promise<boolean>
}

/** The same, with the signal that ends with the renderer. */
export type PartOptions = RendererCallOptions & { readonly signal: AbortSignal }

/** Options of planning. */
export interface PlanOptions extends RendererCallOptions {
  /** Divides a video of `frames` into segments; `asked` are the most frames of one, of the settings. */
  split?(frames: number, segmentFrames: number): Segment[]
}

/** The plugins and the project of a part. */
interface PartSetup {
  readonly setup: KernelSetup
  /** Absolute. */
  readonly projectDir: string
}

/** Runs with the open render of a part that captures nothing, and closes it. */
export const withIdlePart = async <T>(
  { setup, projectDir }: PartSetup,
  { runOptions }: Pick<PartContext, 'runOptions'>,
  { signal, onEvent, renderId = randomUUID() }: PartOptions,
  work: (run: OpenRender) => Promise<T>,
): Promise<T> => {
  const options = { projectDir, renderId, signal, ...runOptions(), ...(onEvent && { onEvent }) }
  const run = await createKernel(setup).open(options)
  try {
    return await work(run)
  } finally {
    run.reportConsole()
    await run.close()
  }
}

/** The same, in a slot, for a part that captures. */
export const withPart = <T>(
  part: PartSetup,
  context: PartContext,
  options: PartOptions,
  work: (run: OpenRender) => Promise<T>,
): Promise<T> => context.inSlot(options.signal, () => withIdlePart(part, context, options, work))

/** Whether renders of these plugins can be done in parts. */
export const isSplittable = ({ target }: KernelSetup): boolean => !takesRequests(target)

/** Renders one segment, again when an error may pass. */
export const renderWithRetries = (run: OpenRender, plan: RenderPlan, index: number, part: SegmentPart = {}) =>
  retrySegment(index, () => run.renderSegment(plan, index, part), { signal: run.signal, warn: run.warn })
