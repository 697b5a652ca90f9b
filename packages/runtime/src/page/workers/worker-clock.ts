import { EPOCH_MS, installDates } from '../clock/dates.ts'
import { createRandom, installRandom } from '../clock/random.ts'
import { replaceAccessor, replaceMethod } from '../replace.ts'
import { ORDER, type WorkerAnswer, type WorkerOrder } from './worker-order.ts'
import { installWorkerTimers } from './worker-timers.ts'

/** Runs first in each worker of a page and puts it on the page's clock: it goes on when the page says so, and says when it has. */
const scope = globalThis as unknown as typeof globalThis & {
  close(): void
  postMessage(message: unknown): void
}
const listen = EventTarget.prototype.addEventListener
const { postMessage } = scope
const answer = (what: WorkerAnswer) => postMessage.call(scope, { [ORDER]: what })

const channel = new MessageChannel()
const send = MessagePort.prototype.postMessage
const waiting: (() => void)[] = []
channel.port1.onmessage = () => waiting.shift()?.()
const nextTask = () =>
  new Promise<void>((resolve) => {
    waiting.push(resolve)
    send.call(channel.port2, null)
  })

/** What has been asked for and has not come. */
const open = new Set<Promise<unknown>>()
const track = <T extends object>(owner: T | undefined, keys: readonly (keyof T)[]) => {
  for (const key of keys) {
    const native = owner?.[key]
    if (!owner || typeof native !== 'function') continue
    replaceMethod(owner, key, function (this: unknown, ...args: unknown[]) {
      const promise = Reflect.apply(native, this, args) as Promise<unknown>
      open.add(promise)
      const forget = () => open.delete(promise)
      promise.then(forget, forget)
      return promise
    } as never)
  }
}
track(scope, ['fetch', 'createImageBitmap'])
track(scope.Response.prototype, ['arrayBuffer', 'blob', 'formData', 'json', 'text'])
track(scope.Blob.prototype, ['arrayBuffer', 'text'])
track(scope.WebAssembly, ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'])
track(scope.OffscreenCanvas?.prototype, ['convertToBlob'])
track(scope.SubtleCrypto?.prototype, ['digest'])

const settle = async () => {
  do {
    await Promise.allSettled([...open])
    await nextTask()
  } while (open.size > 0)
}

const clock = { nowMs: 0 }
installDates(scope, () => EPOCH_MS + Math.floor(clock.nowMs + 1e-6))
replaceMethod(scope.Performance.prototype, 'now', () => clock.nowMs)
replaceAccessor(scope.Performance.prototype, 'timeOrigin', { get: () => EPOCH_MS })
replaceAccessor(scope.Event.prototype, 'timeStamp', { get: () => clock.nowMs })
installRandom(scope as never, createRandom())
const timers = installWorkerTimers(scope, clock, settle)

/** Workers of this worker, which get their files, and so this script, from the same server. */
const nested = new Map<Worker, (() => void) | undefined>()
let askNested: (order: WorkerOrder) => Promise<unknown> = async () => undefined
if (scope.Worker) {
  const ask = Worker.prototype.postMessage as (this: Worker, message: unknown) => void
  askNested = (order) =>
    Promise.all(
      [...nested.keys()].map(
        (worker) =>
          new Promise<void>((resolve) => {
            nested.set(worker, resolve)
            ask.call(worker, { [ORDER]: order })
          }),
      ),
    )
  scope.Worker = new Proxy(Worker, {
    construct(target, args, newTarget) {
      const worker = Reflect.construct(target, args, newTarget) as Worker
      // The text of one with an address of its own cannot be added to from here.
      if (/^(?:blob|data):/i.test(String(args[0]))) return worker
      nested.set(worker, undefined)
      listen.call(worker, 'message', (event) => {
        const said = (event as MessageEvent<{ [ORDER]?: WorkerAnswer } | null>).data?.[ORDER]
        if (said === undefined) return
        event.stopImmediatePropagation()
        nested.get(worker)?.()
        if (said === 'closed') nested.delete(worker)
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
}

let turn = Promise.resolve()
listen.call(scope, 'message', (event) => {
  const order = (event as MessageEvent<{ [ORDER]?: WorkerOrder } | null>).data?.[ORDER]
  if (order === undefined) return
  event.stopImmediatePropagation()
  turn = turn
    .then(() => timers.advance(order.timeMs, order.isFrame))
    .then(() => askNested(order))
    .then(settle)
    .then(() => answer('done'))
})
const { close } = scope
replaceMethod(scope, 'close', () => {
  answer('closed')
  close.call(scope)
})
