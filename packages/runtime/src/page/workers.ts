import type { Clock } from './clock.ts'
import type { PageErrors } from './errors.ts'
import { natives, type Realm, replaceMethod } from './natives.ts'

/** Knows the workers of a page, which are out of the clock's reach. */
export interface Workers {
  install(realm: Realm): void
  readonly size: number
}

const FREE_RUNNING =
  'a worker sends messages that nothing asked for: it runs on the time of the machine, so frames may differ from render to render; let the page ask it for each frame'
const OWN_CANVAS =
  'a canvas is drawn by a worker, on the time of the machine: frames may differ from render to render; draw it in the page'

/** Makes the watch, which says once when a worker decides by itself what frames show. */
export const createWorkers = (clock: Clock, errors: PageErrors): Workers => {
  let size = 0
  const told = new Set<string>()
  const tell = (message: string) => {
    if (told.has(message)) return
    told.add(message)
    errors.add({ message })
  }
  return {
    get size() {
      return size
    },
    install(realm) {
      const Native = realm.Worker
      const { postMessage } = Native.prototype
      const asked = new WeakMap<Worker, number>()
      replaceMethod(Native.prototype, 'postMessage', function (this: Worker, ...args: unknown[]) {
        // One that is not known is the worker that rasters the page.
        if (asked.has(this)) {
          asked.set(this, clock.nowMs)
          const moved: unknown[] = Array.isArray(args[1]) ? args[1] : []
          if (moved.some((each) => each instanceof realm.OffscreenCanvas)) tell(OWN_CANVAS)
        }
        Reflect.apply(postMessage, this, args)
      })
      const Watched = new Proxy(Native, {
        construct(target, args, newTarget) {
          const worker = Reflect.construct(target, args, newTarget) as Worker
          size++
          asked.set(worker, 0)
          natives.listen.call(worker, 'message', () => {
            if (clock.started && clock.nowMs > (asked.get(worker) ?? 0)) tell(FREE_RUNNING)
          })
          return worker
        },
      })
      Native.prototype.constructor = Watched
      Object.defineProperty(realm, 'Worker', { value: Watched, writable: true, configurable: true })
    },
  }
}
