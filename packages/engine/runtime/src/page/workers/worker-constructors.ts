import type { Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'
import { createWorkerScripts } from './worker-scripts.ts'

const SHARED_WORKER =
  'a shared worker runs on the time of the machine, so frames may differ from render to render; use a Worker, which follows the composition'

/** Events of a window's workers. */
export interface WorkerEvents {
  created(worker: Worker): void
  /** Called before a message is posted. */
  posting(worker: Worker, message: unknown, transferred: readonly unknown[]): void
  terminated(worker: Worker): void
  /** Reports a problem once. */
  report(message: string): void
}

const setConstructor = (realm: Realm, name: 'Worker' | 'SharedWorker', value: object) =>
  Object.defineProperty(realm, name, { value, writable: true, configurable: true })

/** Makes a window's workers follow the page and report their events. */
export const installWorkerConstructors = (realm: Realm, events: WorkerEvents): void => {
  const scripts = createWorkerScripts(realm)
  const Native = realm.Worker
  const { postMessage, terminate } = Native.prototype
  replaceMethod(Native.prototype, 'postMessage', function (this: Worker, ...args: unknown[]) {
    const [message, options] = args as [unknown, (unknown[] | { transfer?: unknown[] } | undefined)?]
    events.posting(this, message, Array.isArray(options) ? options : (options?.transfer ?? []))
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
