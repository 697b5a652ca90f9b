import {
  checkPlugins,
  createHooks,
  type KernelHooks,
  type Plugin,
  type RenderEvent,
  type Tap,
} from '@vid/protocol'
import { superviseHooks } from './hooks.ts'
import { type KernelSetup, openRun, type Run, type RunOptions } from './run.ts'
import { createWatch, type Timing } from './watch.ts'

/** One render that is open: the portable functions, its hooks, and what was measured. */
export interface OpenRender extends Run {
  readonly hooks: KernelHooks
  /** Runs `setup` so that its taps belong to `plugin`. */
  as(plugin: string, setup: () => void): void
  taps(): Tap[]
  timings(): readonly Timing[]
  emit(event: RenderEvent): void
  report(stage: 'plan' | 'render' | 'join' | 'deliver', framesRendered: number): void
}
export interface Kernel {
  readonly setup: KernelSetup
  /** Opens one render: taps every plugin. Close it at the end. */
  open(options: RunOptions): Promise<OpenRender>
}

/** Checks the plugins and makes the kernel that runs them; nothing is started yet. */
export const createKernel = (setup: KernelSetup): Kernel => {
  const { capture, encoders, target, deliveries = [], plugins = [] } = setup
  const all: Plugin[] = [capture, ...encoders, ...(target ? [target] : []), ...deliveries, ...plugins]
  checkPlugins(all)

  const open: Kernel['open'] = async (options) => {
    const hooks = createHooks()
    const watch = createWatch()
    const { as, taps } = superviseHooks(hooks, watch)
    const emit = (event: RenderEvent) => {
      options.onEvent?.(event)
      hooks.progress.call(event)
    }
    const run = await openRun(setup, hooks, watch, { ...options, onEvent: emit })
    for (const plugin of plugins) as(plugin.name, () => plugin.setup(hooks, { options: plugin.options }))
    as(capture.name, () =>
      hooks.capture.tapPromise(capture.name, async (plan) =>
        plan.capture.name === capture.name
          ? capture.open(plan, run.context({ ...capture, options: plan.capture.options }))
          : undefined,
      ),
    )
    for (const encoder of encoders)
      as(encoder.name, () => {
        hooks.encode.tapPromise(encoder.name, async ({ segment, frames, signal }) => {
          const { name, options } = segment.plan.encoder
          return name === encoder.name
            ? encoder.encode(frames, segment, run.context({ name, options }, signal))
            : undefined
        })
        hooks.join.tapPromise(encoder.name, async ({ segments, audio, output }) => {
          const { name, options } = output.plan.encoder
          if (name !== encoder.name) return undefined
          if (encoder.join) return encoder.join(segments, audio, output, run.context({ name, options }))
          return segments[0] && { path: segments[0].file }
        })
      })
    const rendered = new Map<number, number>()
    let total = 0
    const report = (stage: 'plan' | 'render' | 'join' | 'deliver', framesRendered: number) => {
      const progress = stage === 'deliver' ? 1 : total && (framesRendered / total) * 0.98
      emit({ type: 'render-progress', stage, progress, framesRendered, totalFrames: total })
    }
    const renderSegment: Run['renderSegment'] = (plan, index, part = {}) => {
      total = plan.frames
      rendered.set(index, 0)
      return run.renderSegment(plan, index, {
        ...part,
        onFrame() {
          part.onFrame?.()
          rendered.set(index, (rendered.get(index) ?? 0) + 1)
          report(
            'render',
            [...rendered.values()].reduce((a, b) => a + b, 0),
          )
        },
      })
    }
    return { ...run, renderSegment, hooks, as, taps, emit, report, timings: watch.timings }
  }
  return { open, setup }
}
