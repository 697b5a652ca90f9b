import type { PageConfig } from '../../contract/page-config.ts'
import { REFRESH_RATE, WINDOW_RATE } from '../../contract/refresh-rate.ts'
import { natives, nextTask, type Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import { replaceMethod } from '../realm/replace.ts'
import { type Clock, shownMs } from './clock.ts'
import type { Released } from './timers.ts'

interface Request {
  readonly realm: Realm
  readonly callback: FrameRequestCallback
  scoped: boolean
}

/** Interval of callbacks that run in real time. */
const FRAME_MS = 16

/** `requestAnimationFrame` on the clock. */
export interface Frames {
  install(realm: Realm): void
  /**
   * Calls what was requested before this call, once, with the clock's time; requests of this frame through `inScope`.
   */
  run(inScope: (call: () => void) => void): Promise<void>
  /** Ends the shown frame; remaining requests belong to a loop. */
  closeScope(): void
  readonly size: number
  /** Whether callbacks wait that most windows call at another rate, of which the root says nothing. */
  waitAtOtherRate(): boolean
  /** Sets which callbacks run in real time. */
  release(which: Released): void
  /** While set, new requests belong to the frame that is being shown. */
  scope: boolean
}

/** Creates the queue of frame callbacks that all windows share. */
export const createFrames = (
  clock: Clock,
  errors: PageErrors,
  config: Pick<PageConfig, 'fps' | 'fpsDivisor'>,
): Frames => {
  const queue = new Map<number, Request>()
  let lastId = 0
  let released: Released = 'none'
  let native: number | undefined

  const call = (id: number, { realm, callback }: Request) => {
    queue.delete(id)
    if (realm.closed) return
    errors.guard(realm, () => callback.call(realm, shownMs(clock)))
  }

  const startNative = () => {
    if (native !== undefined || released === 'none') return
    const due = [...queue].filter(([, request]) => released === 'all' || request.scoped)
    if (!due.length) return
    native = natives.setTimeout(() => {
      native = undefined
      for (const [id, request] of due) if (released !== 'none' && queue.has(id)) call(id, request)
      startNative()
    }, FRAME_MS)
  }

  const frames: Frames = {
    scope: false,
    get size() {
      return queue.size
    },
    waitAtOtherRate: () =>
      queue.size > 0 &&
      config.fps !== WINDOW_RATE * (config.fpsDivisor ?? 1) &&
      !document.querySelector(`[${REFRESH_RATE}]`),
    release(which) {
      released = which
      startNative()
    },
    closeScope() {
      for (const request of queue.values()) request.scoped = false
    },
    async run(inScope) {
      for (const [id, request] of [...queue]) {
        if (!queue.has(id)) continue
        if (request.scoped) inScope(() => call(id, request))
        else call(id, request)
        await nextTask()
      }
    },
    install(realm) {
      replaceMethod(realm, 'requestAnimationFrame', (callback) => {
        queue.set(++lastId, { realm, callback, scoped: frames.scope })
        startNative()
        return lastId
      })
      replaceMethod(realm, 'cancelAnimationFrame', (id) => {
        queue.delete(id)
      })
      natives.listen.call(realm, 'pagehide', () => {
        for (const [id, request] of queue) if (request.realm === realm) queue.delete(id)
      })
    },
  }
  return frames
}
