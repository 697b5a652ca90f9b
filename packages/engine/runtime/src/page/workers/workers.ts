import type { Clock } from '../clock/clock.ts'
import { nextTask, type Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import { type WatchedWorker, watchWorker } from './watched-worker.ts'
import { createWorkerCanvases } from './worker-canvases.ts'
import { installWorkerConstructors } from './worker-constructors.ts'

/** The workers of a page, which follow its clock: they advance at the end of a frame, and the frame waits for them. */
export interface Workers {
  install(realm: Realm): void
  /** Number of workers that the page has created. */
  readonly size: number
  /** Begins a frame; workers then run everything that is due. */
  nextFrame(): void
  /** Advances workers to the clock's time and delivers their messages, until there are none left. */
  settle(): Promise<void>
  /** Shows the drawings of workers on canvases of the page in this frame. */
  showCanvases(): Promise<void>
  /** True while a worker has not answered. */
  readonly isBusy: boolean
  /** While set, workers are advanced as soon as there is reason to, because something waits for them. */
  eager: boolean
}

/** Limit on rounds of messages within one frame; a longer exchange continues in the next frame. */
const MAX_ROUNDS = 100

/** Delivers what a worker has posted, each message in a task; returns the number of messages. */
const deliverMessages = async (worker: WatchedWorker): Promise<number> => {
  const messages = worker.takeMessages()
  for (const message of messages) {
    worker.deliver(message)
    await nextTask()
  }
  return messages.length
}

/** Creates the watch over the workers of all windows. */
export const createWorkers = (clock: Clock, errors: PageErrors): Workers => {
  const all: WatchedWorker[] = []
  const canvases = createWorkerCanvases(errors.addOnce)
  const watchedOf = new WeakMap<Worker, WatchedWorker>()
  /** Whether workers have yet to be informed of a change. */
  let isDirty = false
  let isFrame = false
  let posted = 0
  let roundsOfFrame = 0
  let settling: Promise<void> | undefined

  /** Advances all workers and delivers their messages; returns whether there were messages either way. */
  const runRound = async (): Promise<boolean> => {
    const before = posted
    const order = { timeMs: clock.nowMs, isFrame }
    isFrame = false
    await Promise.all(all.filter(({ isAlive }) => isAlive).map((worker) => worker.advance(order)))
    let received = 0
    for (const worker of all) received += await deliverMessages(worker)
    return received > 0 || posted !== before
  }
  const runRounds = async () => {
    do isDirty = false
    while (roundsOfFrame++ < MAX_ROUNDS && ((await runRound()) || isDirty))
  }
  const settle = (): Promise<void> => {
    if (all.length === 0 || roundsOfFrame > MAX_ROUNDS || (!isDirty && !settling)) return Promise.resolve()
    // One after another: messages that are posted meanwhile belong to the next.
    const current = (settling ?? Promise.resolve()).then(runRounds)
    settling = current
    return current.finally(() => {
      if (settling === current) settling = undefined
      if (isDirty) touch()
    })
  }
  const touch = () => {
    isDirty = true
    if ((workers.eager || !clock.started) && !settling) void settle()
  }

  const workers: Workers = {
    eager: false,
    get size() {
      return all.length
    },
    get isBusy() {
      return settling !== undefined || (isDirty && roundsOfFrame <= MAX_ROUNDS)
    },
    nextFrame() {
      roundsOfFrame = 0
      isFrame = isDirty = all.length > 0
    },
    settle,
    async showCanvases() {
      const order = { timeMs: clock.nowMs, isFrame: false, draws: true }
      const drawing = all.filter(({ isAlive, draws }) => isAlive && draws)
      await Promise.all(drawing.map((worker) => worker.advance(order)))
      canvases.showLocal()
    },
    install(realm) {
      canvases.install(realm)
      installWorkerConstructors(realm, {
        created(worker) {
          const watched = watchWorker(worker, ({ id, picture }) => canvases.show(id, picture))
          all.push(watched)
          watchedOf.set(worker, watched)
          touch()
        },
        posting(worker, message, transferred) {
          const watched = watchedOf.get(worker)
          // A worker of the runtime itself is not watched.
          if (!watched) return
          if (transferred.some((item) => item instanceof OffscreenCanvas)) watched.announce(canvases.post(message))
          posted++
          touch()
        },
        terminated: (worker) => watchedOf.get(worker)?.end(),
        report: errors.addOnce,
      })
    },
  }
  return workers
}
