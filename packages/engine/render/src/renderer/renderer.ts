import { createPool, exclusivePool, type PluginOf } from '@vid/kernel'
import { defineErrors, failContract, kernelErrors, type RenderResult } from '@vid/protocol'
import { machineCores, machineMemory } from '@vid/system'
import { createCaptureSlots } from '../concurrency/capture-slots.ts'
import { renderWithRetry } from '../concurrency/render-with-retry.ts'
import { codedError } from '../failure/coded-error.ts'
import { type CaptureCheck, type CheckOptions, checkCapture } from '../inspect/capture-check.ts'
import type { CompositionSettings } from '../open/composition-request.ts'
import {
  type CompositionOptions,
  type CompositionResult,
  type OpenComposition,
  withComposition,
} from '../open/open-composition.ts'
import type { PartContext, RendererCallOptions } from '../parts/part-context.ts'
import { createParts, type RendererParts } from '../parts/renderer-parts.ts'
import { type ContextOptions, openContext } from '../prepare/context.ts'
import { type PreparedRender, prepareRender } from '../prepare/prepare.ts'
import { type RenderOutcome, type RunRequests, renderPrepared } from '../run/render.ts'
import type { RenderSettings } from '../settings.ts'
import { type Snapshots, type StillOptions, type StillSettings, takeStills } from '../stills/take-stills.ts'
import { renderWarning } from '../warnings.ts'

const failKernel = defineErrors(kernelErrors)

/** Renders that share browsers and a limit on concurrency, as in a server. */
export interface Renderer extends RendererParts {
  /** Like `render`; waits while the maximum number of renders capture. */
  render(settings: RenderSettings, options?: RendererCallOptions): Promise<RenderOutcome>
  /** Like `takeStills`; callers decide how many run at once. */
  takeStills(settings: StillSettings, options?: Partial<StillOptions>): Promise<Snapshots>
  /** Like `withComposition`; callers decide how many run at once. */
  withComposition<T>(
    settings: CompositionSettings,
    work: (composition: OpenComposition) => Promise<T>,
    options?: Partial<CompositionOptions>,
  ): Promise<CompositionResult<T>>
  /**
   * Captures some frames as `render` would, to say in which lane and with which warnings; callers decide how many run
   * at once.
   */
  checkCapture(settings: RenderSettings, options?: Partial<CheckOptions>): Promise<CaptureCheck>
  /** Cancels and awaits the running renders, and closes the shared browsers. */
  close(): Promise<void>
}

/** Options shared by concurrent renders; each gets an equal share of the cores and of the memory. */
export interface RendererOptions extends ContextOptions {
  /** Limit on renders that capture at once, and on those that share a browser; 1 if left out. */
  readonly concurrency?: number
  /** True if no two renders may use a browser at the same time, so that a crash ends only one render. */
  readonly isolated?: boolean
  /** Absolute folder that the store belongs to, in place of each project's: copies of a project then share segments. */
  readonly storeDir?: string
  /** Store of finished segments in place of each config's, where segments are reused at all. */
  readonly store?: PluginOf<'store'>
  /**
   * Number of idle browsers that stay open for the next render, and for how long; several without a time limit if left
   * out.
   */
  readonly idle?: { readonly browsers: number; readonly ms: number }
  /** Memory for all renders together, in bytes; all that this process may use if left out. */
  readonly memoryBytes?: number
}

/** Idle browsers per concurrent render of an isolated renderer, since the next render may need another kind. */
const IDLE_PER_RENDER = 2

const MAX_CONCURRENCY = 64

/** The place of a render among those of a renderer. */
interface QueuePlace {
  /** Resolves once every earlier render has queued, or has failed before. */
  readonly before: Promise<void>
  /** Notifies later renders that this one has queued. */
  queued(): void
}

const poolLimits = (isolated: boolean, concurrency: number, idle: RendererOptions['idle']) => ({
  ...(isolated ? { maxIdle: IDLE_PER_RENDER * concurrency } : { max: concurrency }),
  ...(idle && { maxIdle: idle.browsers, maxIdleMs: idle.ms }),
})

/** Calls that are under way, until the renderer is closed. */
const createCalls = (stop: AbortSignal) => {
  const running = new Set<Promise<unknown>>()
  const track = <T>(work: Promise<T>): Promise<T> => {
    const settled = work.catch(() => {}).finally(() => running.delete(settled))
    running.add(settled)
    return work
  }
  const stopBy = (signal: AbortSignal | undefined) => (signal ? AbortSignal.any([signal, stop]) : stop)
  /** Does work until the renderer is closed; its errors are coded. */
  const run = <T>(callSignal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = stopBy(callSignal)
    return track(
      work(signal).catch((thrown) => {
        throw codedError(thrown, signal)
      }),
    )
  }
  return { run, track, stopBy, settled: () => Promise.all(running) }
}

/** What calls share that wait for a slot. */
interface SlotParts extends Pick<PartContext, 'setupOf' | 'runOptions'> {
  readonly slots: ReturnType<typeof createCaptureSlots>
}

const workInSlot =
  (slots: SlotParts['slots']): PartContext['inSlot'] =>
  async (signal, work) => {
    const slot = await slots.enter(() => {}, signal)
    if (!slot) throw signal.aborted ? signal.reason : failKernel('VID_CANCELLED', {})
    try {
      await slot.acquire()
      return await work()
    } finally {
      slot.release()
    }
  }

/** Runs the requests of one call when there is a slot for it. */
const runInSlot =
  (
    { slots, setupOf, runOptions }: SlotParts,
    { before, queued }: QueuePlace,
    { store: ownStore, takePlan }: RendererCallOptions,
  ): RunRequests =>
  async ({ kernel, requests, warnings }, { renderId, signal, onEvent, publish }): Promise<RenderResult[]> => {
    await before
    const entering = slots.enter(() => {}, signal)
    queued()
    const slot = await entering
    if (!slot) throw signal.aborted ? signal.reason : failKernel('VID_CANCELLED', {})
    try {
      return await renderWithRetry({
        setup: setupOf({ kernel }, ownStore),
        requests,
        slot,
        options: {
          renderId,
          signal,
          ...runOptions(),
          ...(onEvent && { onEvent }),
          ...(publish && { publish }),
          ...(takePlan && { takePlan: (plan, more) => takePlan(plan, [...warnings, ...more]) }),
        },
        onRetry: ({ message }) =>
          onEvent?.({
            type: 'warning',
            renderId,
            warning: renderWarning('VID_RENDER_RETRIED', { reason: message }),
          }),
      })
    } finally {
      slot.release()
    }
  }
const checkConcurrency = (concurrency: number): void => {
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY)
    throw failContract('VID_REQUEST_INVALID', {
      problems: [`concurrency must be a whole number from 1 to ${MAX_CONCURRENCY}; got ${String(concurrency)}`],
    })
}

/** The places of renders in the queue for slots: they capture in the order of calls, not of preparing. */
const createOrder = () => {
  // Resolves once all renders so far have queued for a slot.
  let last = Promise.resolve()
  return (): QueuePlace => {
    const before = last
    let queued = () => {}
    const queuing = new Promise<void>((resolve) => {
      queued = resolve
    })
    last = before.then(() => queuing)
    return { before, queued }
  }
}

/** Opens a renderer; close it at the end. */
export const createRenderer = async (options: RendererOptions = {}): Promise<Renderer> => {
  const { concurrency = 1, isolated = false, storeDir, store, idle, memoryBytes = machineMemory() } = options
  checkConcurrency(concurrency)
  const context = await openContext(options)
  const stop = new AbortController()
  const pool = createPool(poolLimits(isolated, concurrency, idle))
  const machine = { cores: machineCores() / concurrency, memoryBytes: memoryBytes / concurrency }
  const slots = createCaptureSlots(concurrency, stop.signal)
  const { run, track, stopBy, settled } = createCalls(stop.signal)
  const share = () => (isolated ? exclusivePool(pool) : pool)
  const setupOf: PartContext['setupOf'] = ({ kernel: { setup } }, callStore = store) =>
    callStore && setup.store ? { ...setup, store: callStore } : setup
  const runOptions: PartContext['runOptions'] = () => ({ storeDir, machine, shared: share(), reading: context.reading })
  const nextPlace = createOrder()
  const renderOne = async (
    settings: RenderSettings,
    renderOptions: RendererCallOptions,
    place: QueuePlace,
  ): Promise<RenderOutcome> => {
    const callOptions = { ...renderOptions, signal: stopBy(renderOptions.signal), reading: context.reading }
    try {
      const prepared: PreparedRender = await prepareRender(settings, context)
      return await renderPrepared(
        prepared,
        settings,
        callOptions,
        runInSlot({ slots, setupOf, runOptions }, place, renderOptions),
      )
    } catch (thrown) {
      throw codedError(thrown, callOptions.signal)
    }
  }
  return {
    render(settings, renderOptions = {}) {
      const place = nextPlace()
      // One that fails before it has queued blocks no other render.
      return track(renderOne(settings, renderOptions, place).finally(place.queued))
    },
    ...createParts({ context, setupOf, runOptions, inSlot: workInSlot(slots) }, run),
    takeStills: (settings, stillOptions = {}) =>
      run(stillOptions.signal, (signal) => takeStills(settings, context, { ...stillOptions, signal, shared: share() })),
    withComposition: (settings, work, compositionOptions = {}) =>
      run(compositionOptions.signal, (signal) =>
        withComposition(settings, context, { ...compositionOptions, signal, shared: share() }, work),
      ),
    checkCapture: (settings, checkOptions = {}) =>
      run(checkOptions.signal, (signal) => checkCapture(settings, context, { signal, shared: share() })),
    async close() {
      stop.abort(new Error('the renderer was closed'))
      await settled()
      await pool.close()
    },
  }
}
