import type { PageErrors } from '../errors.ts'
import { natives, nextTask, type Realm } from '../natives.ts'
import { replaceMethod } from '../replace.ts'
import type { Clock } from './clock.ts'

interface Request {
  readonly realm: Realm
  readonly callback: FrameRequestCallback
  scoped: boolean
}

/** `requestAnimationFrame` on the clock. */
export interface Frames {
  install(realm: Realm): void
  /** Calls what was requested before this call, once, with the clock's time; what belongs to this frame through `inScope`. */
  run(inScope: (call: () => void) => void): Promise<void>
  /** Ends what belongs to the frame that has been shown: requests that are left are those of a loop. */
  closeScope(): void
  readonly size: number
  /** Which callbacks run in real time, with the clock standing, because something waits for them. */
  release(which: 'none' | 'scoped' | 'all'): void
  /** While set, new requests belong to the frame that is being shown. */
  scope: boolean
}

/** Makes the queue of frame callbacks that all windows share. */
export const createFrames = (clock: Clock, errors: PageErrors): Frames => {
  const queue = new Map<number, Request>()
  let lastId = 0
  let released: 'none' | 'scoped' | 'all' = 'none'
  let native: number | undefined

  const call = (id: number, { realm, callback }: Request) => {
    queue.delete(id)
    if (!realm.closed) errors.guard(realm, () => callback.call(realm, clock.nowMs))
  }

  const free = () => {
    if (native !== undefined || released === 'none') return
    const wanted = [...queue].filter(([, request]) => released === 'all' || request.scoped)
    if (!wanted.length) return
    native = natives.setTimeout(() => {
      native = undefined
      for (const [id, request] of wanted) if (released !== 'none' && queue.has(id)) call(id, request)
      free()
    }, 16)
  }

  const frames: Frames = {
    scope: false,
    get size() {
      return queue.size
    },
    release(which) {
      released = which
      free()
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
        free()
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
