import { installDates } from '../clock/dates.ts'
import { dateAt, EPOCH_MS, seenAt } from '../clock/origin.ts'
import { createRandom, installRandom } from '../clock/random.ts'
import { MAX_CALLBACKS, watchAsyncWork, watchCallbacks, withoutEndlessWork } from '../realm/async-work.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'
import { createCanvasPictures } from './canvas-pictures.ts'
import { followNestedWorkers } from './nested-workers.ts'
import { CANVASES, ORDER, type WorkerAnswer, type WorkerOrder } from './worker-order.ts'
import { installWorkerTimers } from './worker-timers.ts'

/** Runs first in each worker of a page and puts it on the page's clock: the page sends the time, and the worker answers when it has run all that is due. */
const scope = globalThis as unknown as typeof globalThis & {
  close(): void
  postMessage(message: unknown, transfer?: Transferable[]): void
}
const listen = EventTarget.prototype.addEventListener
const { postMessage, createImageBitmap } = scope
const pictures = createCanvasPictures(
  (message, transfer) => postMessage.call(scope, message, transfer),
  createImageBitmap.bind(scope),
)
const answer = (value: WorkerAnswer) => postMessage.call(scope, { [ORDER]: value })

const channel = new MessageChannel()
const send = MessagePort.prototype.postMessage
const waiting: (() => void)[] = []
channel.port1.onmessage = () => waiting.shift()?.()
const nextTask = () =>
  new Promise<void>((resolve) => {
    waiting.push(resolve)
    send.call(channel.port2, null)
  })

const clock = { nowMs: 0 }

/** Requests and other asynchronous calls that have not settled. */
const open = new Set<Promise<unknown>>()
const add = (promise: Promise<unknown>) => {
  open.add(promise)
  const forget = () => open.delete(promise)
  promise.then(forget, forget)
}
const track = <T extends object>(owner: T | undefined, keys: readonly (keyof T)[]) => {
  for (const key of keys) {
    const native = owner?.[key]
    if (!owner || typeof native !== 'function') continue
    replaceMethod(owner, key, function (this: unknown, ...args: unknown[]) {
      const promise = Reflect.apply(native, this, args) as Promise<unknown>
      add(promise)
      return promise
    } as never)
  }
}
track(scope, ['fetch'])
watchAsyncWork(scope, withoutEndlessWork(clock, add))
watchCallbacks(scope, withoutEndlessWork(clock, add, MAX_CALLBACKS))
track(scope.WebAssembly, ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'])

const settle = async () => {
  do {
    await Promise.allSettled([...open])
    await nextTask()
  } while (open.size > 0)
}

installDates(scope, () => dateAt(clock.nowMs))
replaceMethod(scope.Performance.prototype, 'now', () => seenAt(clock.nowMs))
replaceAccessor(scope.Performance.prototype, 'timeOrigin', { get: () => EPOCH_MS })
replaceAccessor(scope.Event.prototype, 'timeStamp', { get: () => seenAt(clock.nowMs) })
installRandom(scope as never, createRandom())
const timers = installWorkerTimers(scope, clock, settle)

const advanceNested = scope.Worker ? followNestedWorkers(scope) : async () => undefined

let last = Promise.resolve()
listen.call(scope, 'message', (event) => {
  const { data } = event as MessageEvent<{ [ORDER]?: WorkerOrder; [CANVASES]?: readonly number[] } | null>
  const ids = data?.[CANVASES]
  if (ids) {
    event.stopImmediatePropagation()
    return pictures.announce(ids)
  }
  const order = data?.[ORDER]
  if (order === undefined) return pictures.receive(data)
  event.stopImmediatePropagation()
  last = last
    .then(() => timers.advance(order.timeMs, order.isFrame))
    .then(() => advanceNested(order))
    .then(settle)
    .then(() => (order.draws ? pictures.send() : undefined))
    .then(() => answer('done'))
})
const { close } = scope
replaceMethod(scope, 'close', () => {
  answer('closed')
  close.call(scope)
})
