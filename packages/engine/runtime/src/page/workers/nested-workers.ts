import { replaceMethod } from '../realm/replace.ts'
import { ORDER, type WorkerAnswer, type WorkerOrder } from './worker-order.ts'

const listen = EventTarget.prototype.addEventListener

/** The workers that a worker starts: their files, and so this script, come from the same server. */
export const followNestedWorkers = (scope: { Worker: typeof Worker }) => {
  const { Worker } = scope
  /** The workers, each with a callback that resolves when it has answered. */
  const nested = new Map<Worker, (() => void) | undefined>()
  const post = Worker.prototype.postMessage as (this: Worker, message: unknown) => void

  scope.Worker = new Proxy(Worker, {
    construct(target, args, newTarget) {
      const worker = Reflect.construct(target, args, newTarget) as Worker
      // Nothing can be added here to a script that is part of its address.
      if (/^(?:blob|data):/i.test(String(args[0]))) return worker
      nested.set(worker, undefined)
      listen.call(worker, 'message', (event) => {
        const answer = (event as MessageEvent<{ [ORDER]?: WorkerAnswer } | null>).data?.[ORDER]
        if (answer === undefined) return
        event.stopImmediatePropagation()
        nested.get(worker)?.()
        if (answer === 'closed') nested.delete(worker)
      })
      listen.call(worker, 'error', () => {
        nested.get(worker)?.()
        nested.delete(worker)
      })
      return worker
    },
  })
  const { terminate } = Worker.prototype
  replaceMethod(Worker.prototype, 'terminate', function (this: Worker) {
    nested.get(this)?.()
    nested.delete(this)
    terminate.call(this)
  })

  /** Sends them the time; resolves when all have answered. */
  return (order: WorkerOrder): Promise<unknown> =>
    Promise.all(
      [...nested.keys()].map(
        (worker) =>
          new Promise<void>((resolve) => {
            nested.set(worker, resolve)
            post.call(worker, { [ORDER]: order })
          }),
      ),
    )
}
