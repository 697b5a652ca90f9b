import type { Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'
import { createWorkerScripts } from './worker-scripts.ts'

const OFFSCREEN_CANVAS =
  'a canvas is drawn by a worker, and the browser shows it when it can: frames may differ from render to render; draw it in the page'
const SHARED_WORKER =
  'a shared worker runs on the time of the machine, so frames may differ from render to render; use a Worker, which follows the composition'

/** What happens to the workers of a window. */
export interface WorkerEvents {
  created(worker: Worker): void
  /** Called before a message is posted; returns false for a worker of the runtime itself. */
  posting(worker: Worker): boolean
  terminated(worker: Worker): void
  /** Reports a problem once. */
  report(message: string): void
}

const setConstructor = (realm: Realm, name: 'Worker' | 'SharedWorker', value: object) =>
  Object.defineProperty(realm, name, { value, writable: true, configurable: true })

/** Makes a window's workers follow the page and report what happens to them. */
export const installWorkerConstructors = (realm: Realm, events: WorkerEvents): void => {
  const scripts = createWorkerScripts(realm)
  const Native = realm.Worker
  const { postMessage, terminate } = Native.prototype
  replaceMethod(Native.prototype, 'postMessage', function (this: Worker, ...args: unknown[]) {
    if (events.posting(this)) {
      const transferred: unknown[] = Array.isArray(args[1]) ? args[1] : []
      if (transferred.some((each) => each instanceof realm.OffscreenCanvas)) events.report(OFFSCREEN_CANVAS)
    }
    Reflect.apply(postMessage, this, args)
  })
  replaceMethod(Native.prototype, 'terminate', function (this: Worker) {
    events.terminated(this)
    terminate.call(this)
  })
  const Watched = new Proxy(Native, {
    construct(target, [address, options], newTarget) {
      const script = scripts.follow(address, options as WorkerOptions | undefined)
      const worker = Reflect.construct(target, [script, options], newTarget) as Worker
      events.created(worker)
      return worker
    },
  })
  Native.prototype.constructor = Watched
  setConstructor(realm, 'Worker', Watched)
  if (!realm.SharedWorker) return
  const Shared = new Proxy(realm.SharedWorker, {
    construct(target, args, newTarget) {
      events.report(SHARED_WORKER)
      return Reflect.construct(target, args, newTarget) as SharedWorker
    },
  })
  setConstructor(realm, 'SharedWorker', Shared)
}
