import type { Clock } from '../clock/clock.ts'
import type { PageErrors } from '../errors.ts'
import { natives, nextTask, type Realm } from '../natives.ts'
import { replaceMethod } from '../replace.ts'
import { ORDER, type WorkerAnswer, type WorkerOrder } from './worker-order.ts'
import { createWorkerScripts } from './worker-scripts.ts'

/** The workers of a page, which follow its clock: they go on at the end of a frame, and the frame waits for them. */
export interface Workers {
  install(realm: Realm): void
  /** Workers that the page has made. */
  readonly size: number
  /** Begins a frame: workers then run what it makes due. */
  nextFrame(): void
  /** Lets workers go on to the clock's time, and delivers what they say, until nobody says any more. */
  settle(): Promise<void>
  /** True while a worker has not answered. */
  readonly isBusy: boolean
  /** While set, workers are asked as soon as there is anything to ask, because something waits for them. */
  eager: boolean
}

interface Known {
  readonly worker: Worker
  readonly inbox: MessageEvent[]
  isAlive: boolean
  /** False until its script has run: it may not be there at all. */
  isLoaded: boolean
  answered: (() => void) | undefined
}

/** Rounds of messages within one frame: what goes on for longer goes on in the next. */
const MOST_ROUNDS = 100

const OWN_CANVAS =
  'a canvas is drawn by a worker, and shown when the browser comes to it: frames may differ from render to render; draw it in the page'
const SHARED =
  'a shared worker runs on the time of the machine, so frames may differ from render to render; use a Worker, which follows the composition'

/** Makes the watch over the workers of all windows. */
export const createWorkers = (clock: Clock, errors: PageErrors): Workers => {
  const known: Known[] = []
  const knownOf = new WeakMap<Worker, Known>()
  const delivered = new WeakSet<Event>()
  const told = new Set<string>()
  const tell = (message: string) => {
    if (told.has(message)) return
    told.add(message)
    errors.add({ message })
  }
  let isDirty = false
  let isFrame = false
  let posted = 0
  /** Of this frame. */
  let rounds = 0
  let turn: Promise<void> | undefined

  const end = (each: Known) => {
    each.isAlive = false
    each.answered?.()
  }
  const ask = (each: Known, order: WorkerOrder) =>
    new Promise<void>((resolve) => {
      each.answered = resolve
      natives.postToWorker.call(each.worker, { [ORDER]: order })
    })

  const round = async (): Promise<boolean> => {
    const before = posted
    const order = { timeMs: clock.nowMs, isFrame }
    isFrame = false
    await Promise.all(known.filter(({ isAlive }) => isAlive).map((each) => ask(each, order)))
    let isHeard = false
    for (const { worker, inbox } of known)
      for (const { data, origin, ports } of inbox.splice(0)) {
        const event = new MessageEvent('message', { data, origin, ports: [...ports] })
        delivered.add(event)
        natives.dispatch.call(worker, event)
        isHeard = true
        await nextTask()
      }
    return isHeard || posted !== before
  }
  const go = async () => {
    isDirty = false
    while (rounds++ < MOST_ROUNDS && (await round()));
  }
  const settle = (): Promise<void> => {
    if (known.length === 0 || rounds > MOST_ROUNDS || (!isDirty && !turn)) return Promise.resolve()
    // One after another: what was said meanwhile is for the next.
    const mine = (turn ?? Promise.resolve()).then(go)
    turn = mine
    return mine.finally(() => {
      if (turn === mine) turn = undefined
    })
  }
  const touch = () => {
    isDirty = true
    if ((workers.eager || !clock.started) && !turn) void settle()
  }

  const watch = (worker: Worker) => {
    const each: Known = { worker, inbox: [], isAlive: true, isLoaded: false, answered: undefined }
    known.push(each)
    knownOf.set(worker, each)
    natives.listen.call(worker, 'message', (event) => {
      if (delivered.has(event)) return
      event.stopImmediatePropagation()
      const answer = (event as MessageEvent<{ [ORDER]?: WorkerAnswer } | null>).data?.[ORDER]
      if (answer === undefined) return void each.inbox.push(event as MessageEvent)
      each.isLoaded = true
      if (answer === 'closed') end(each)
      else each.answered?.()
    })
    natives.listen.call(worker, 'error', () => {
      if (!each.isLoaded) end(each)
    })
    touch()
  }

  const workers: Workers = {
    eager: false,
    get size() {
      return known.length
    },
    get isBusy() {
      return turn !== undefined || (isDirty && rounds <= MOST_ROUNDS)
    },
    nextFrame() {
      rounds = 0
      isFrame = isDirty = known.length > 0
    },
    settle,
    install(realm) {
      const scripts = createWorkerScripts(realm)
      const Native = realm.Worker
      const { postMessage, terminate } = Native.prototype
      replaceMethod(Native.prototype, 'postMessage', function (this: Worker, ...args: unknown[]) {
        // One that is not known is the worker that rasters the page.
        if (knownOf.has(this)) {
          posted++
          touch()
          const moved: unknown[] = Array.isArray(args[1]) ? args[1] : []
          if (moved.some((each) => each instanceof realm.OffscreenCanvas)) tell(OWN_CANVAS)
        }
        Reflect.apply(postMessage, this, args)
      })
      replaceMethod(Native.prototype, 'terminate', function (this: Worker) {
        const each = knownOf.get(this)
        if (each) end(each)
        terminate.call(this)
      })
      const Watched = new Proxy(Native, {
        construct(target, [address, options], newTarget) {
          const script = scripts.follow(address, options as WorkerOptions | undefined)
          const worker = Reflect.construct(target, [script, options], newTarget) as Worker
          watch(worker)
          return worker
        },
      })
      Native.prototype.constructor = Watched
      Object.defineProperty(realm, 'Worker', { value: Watched, writable: true, configurable: true })
      if (!realm.SharedWorker) return
      const Shared = new Proxy(realm.SharedWorker, {
        construct(target, args, newTarget) {
          tell(SHARED)
          return Reflect.construct(target, args, newTarget) as SharedWorker
        },
      })
      Object.defineProperty(realm, 'SharedWorker', { value: Shared, writable: true, configurable: true })
    },
  }
  return workers
}
