import { seenAt } from '../clock/origin.ts'
import { replaceMethod } from '../realm/replace.ts'

interface WorkerTimer {
  readonly id: number
  readonly call: () => void
  readonly everyMs: number | undefined
  readonly nesting: number
  dueMs: number
}

/** The timer functions of a worker. */
export type TimedScope = Pick<
  typeof globalThis,
  'setTimeout' | 'setInterval' | 'clearTimeout' | 'clearInterval' | 'reportError' | 'eval'
> &
  Partial<Pick<typeof globalThis, 'requestAnimationFrame' | 'cancelAnimationFrame'>>

const CLAMPED_NESTING = 5

/** Puts a worker's timers and frame callbacks on a clock that its page moves. */
export const installWorkerTimers = (
  scope: TimedScope,
  clock: { nowMs: number },
  /** Resolves when all open requests have settled. */
  settle: () => Promise<void>,
) => {
  const queue: WorkerTimer[] = []
  let frames = new Map<number, FrameRequestCallback>()
  let lastId = 0
  let nesting = 0

  const guard = (call: () => void) => {
    try {
      call()
    } catch (error) {
      scope.reportError(error)
    }
  }
  const insert = (timer: WorkerTimer) => {
    const index = queue.findIndex(({ dueMs }) => dueMs > timer.dueMs)
    queue.splice(index < 0 ? queue.length : index, 0, timer)
  }
  const remove = (id: unknown) => {
    const index = queue.findIndex((timer) => timer.id === id)
    if (index >= 0) queue.splice(index, 1)
  }
  const start =
    (repeats: boolean) =>
    (handler: unknown, wait?: unknown, ...args: unknown[]): number => {
      const call = () => (typeof handler === 'function' ? handler(...args) : scope.eval(String(handler)))
      const milliseconds = Math.max(repeats ? 1 : 0, Math.trunc(Number(wait)) || 0)
      const delay = nesting >= CLAMPED_NESTING ? Math.max(4, milliseconds) : milliseconds
      const id = ++lastId
      const everyMs = repeats ? delay : undefined
      insert({ id, call, everyMs, nesting: nesting + 1, dueMs: clock.nowMs + delay })
      return id
    }
  replaceMethod(scope, 'setTimeout', start(false) as never)
  replaceMethod(scope, 'setInterval', start(true) as never)
  replaceMethod(scope, 'clearTimeout', remove as never)
  replaceMethod(scope, 'clearInterval', remove as never)
  if (scope.requestAnimationFrame) {
    replaceMethod(scope, 'requestAnimationFrame', (callback: FrameRequestCallback) => {
      frames.set(++lastId, callback)
      return lastId
    })
    replaceMethod(scope, 'cancelAnimationFrame', (id: number) => void frames.delete(id))
  }

  return {
    /** Runs everything that is due up to a time, and the callbacks of a new frame. */
    async advance(timeMs: number, isFrame: boolean): Promise<void> {
      await settle()
      for (let first = queue[0]; first && first.dueMs <= timeMs + 1e-6; first = queue[0]) {
        clock.nowMs = Math.max(clock.nowMs, first.dueMs)
        queue.shift()
        const { everyMs } = first
        if (everyMs !== undefined) insert({ ...first, dueMs: clock.nowMs + everyMs })
        nesting = first.nesting
        guard(first.call)
        await settle()
        nesting = 0
      }
      clock.nowMs = timeMs
      if (!isFrame) return
      const shown = frames
      frames = new Map()
      for (const callback of shown.values()) {
        guard(() => callback(seenAt(clock.nowMs)))
        await settle()
      }
    },
  }
}
