import { definePlugin, type PluginOf } from '@vid/kernel'
import { createSemaphore, type Release } from '@vid/system'

/** The error of a render that requests its first slot after the slots were closed. */
export const slotsClosed = new Error('no slot is left: nothing starts any more')

/** Memory of a render with two encoders and two browsers at 1080p, in bytes. */
const RENDER_BYTES = 2 * 2 ** 30

/** Whether the memory suffices for renders to capture while as many others are still being encoded. */
export const hasRoomToOverlap = (renders: number, memoryBytes: number): boolean =>
  renders * RENDER_BYTES <= memoryBytes / 2

/** One render's right to open its page, and then to capture. */
export interface CaptureSlot {
  /** Whether it has ever been allowed to capture. */
  hasStarted(): boolean
  /** Milliseconds that it has waited to capture so far. */
  waitedMs(): number
  /** Waits until it may capture, unless it may already; rejects with the reason of an abort, or with `slotsClosed`. */
  acquire(): Promise<void>
  /** Lets the next render capture: all frames of this one are captured, and only its encoder is still busy. */
  captured(): void
  /** Lets the next render capture, and one more open its page. */
  release(): void
  /** Counts the render as started although it never captured, when it failed before. */
  start(): void
}

/** Lets `count` renders capture at once, in the order of asking, while one more opens its page. */
export const createCaptureSlots = (count: number, signal: AbortSignal) => {
  const pages = createSemaphore(count + 1)
  const captures = createSemaphore(count)
  let isClosed = false
  // Renders that have a page and have not captured yet.
  let preparing = 0

  const open = (releasePage: Release, onStart: () => void, renderSignal: AbortSignal): CaptureSlot => {
    // A render that is ahead must not wait for this one to be ready.
    let releaseCapture = preparing === 0 ? captures.tryAcquire() : undefined
    let hasStarted = false
    let waitedMs = 0
    preparing += 1
    const start = () => {
      if (hasStarted) return
      hasStarted = true
      preparing -= 1
      onStart()
    }
    if (releaseCapture) start()
    return {
      hasStarted: () => hasStarted,
      start,
      waitedMs: () => waitedMs,
      async acquire() {
        if (releaseCapture) return
        if (isClosed && !hasStarted) throw slotsClosed
        const from = performance.now()
        releaseCapture = await captures.acquire({ isEntitled: () => hasStarted, signal: renderSignal })
        waitedMs += performance.now() - from
        start()
      },
      captured() {
        releaseCapture?.()
        releaseCapture = undefined
      },
      release() {
        if (!hasStarted) preparing -= 1
        hasStarted = true
        releaseCapture?.()
        releaseCapture = undefined
        releasePage()
      },
    }
  }
  return {
    /**
     * Waits until a render may open its page, at most until `renderSignal` aborts; it may capture at once if there is
     * room. `onStart` is called when it first may capture. Resolves to undefined when it does not start any more.
     */
    async enter(onStart: () => void, renderSignal: AbortSignal = signal): Promise<CaptureSlot | undefined> {
      if (isClosed || signal.aborted || renderSignal.aborted) return undefined
      const either = AbortSignal.any([signal, renderSignal])
      const releasePage = await pages.acquire({ signal: either }).catch(() => undefined)
      if (releasePage && !isClosed && !either.aborted) return open(releasePage, onStart, either)
      releasePage?.()
      return undefined
    },
    isClosed: () => isClosed,
    /** Admits no further render; started ones continue. */
    close() {
      isClosed = true
      pages.refuseWaiters(slotsClosed)
      captures.refuseWaiters(slotsClosed)
    },
  }
}

/** The slots of several renders. */
export type CaptureSlots = ReturnType<typeof createCaptureSlots>

/** What each of these plugins waits for. */
const slotOf = new WeakMap<object, CaptureSlot>()

// Defined once for all renders, since the code of each definition is read to identify it.
const slotPlugin = definePlugin({
  name: '@vid/render',
  setup(hooks, plugin) {
    const tap = { name: '@vid/render', stage: Number.MIN_SAFE_INTEGER }
    const wait = async () => {
      await slotOf.get(plugin)?.acquire()
      return undefined
    }
    hooks.execute.tapPromise(tap, wait)
    hooks.request.tapPromise(tap, wait)
  },
})

/** A plugin that lets a planned render capture, and a request go to its target, only when its slot allows it. */
export const waitForSlot = (slot: CaptureSlot): PluginOf<'plugin'> => {
  const plugin = slotPlugin()
  slotOf.set(plugin, slot)
  return plugin
}
