import { natives } from '../realm/natives.ts'
import { CANVASES, type CanvasPicture, ORDER, type WorkerAnswer, type WorkerOrder } from './worker-order.ts'

/** A worker of the page; its messages are queued until the page delivers them. */
export interface WatchedWorker {
  readonly worker: Worker
  /** Takes the messages since the last call. */
  takeMessages(): MessageEvent[]
  /** Dispatches a message to the page's listeners. */
  deliver(message: MessageEvent): void
  readonly isAlive: boolean
  /** Announces the canvases of the page in the next message to the worker; 0 stands for another canvas. */
  announce(ids: readonly number[]): void
  /** Whether it draws on canvases of the page. */
  readonly draws: boolean
  /** Sends the time; resolves when the worker has run everything that is due, or has ended. */
  advance(order: WorkerOrder): Promise<void>
  /** Records that the worker was terminated. */
  end(): void
}

/** Watches a worker that has just been created. */
export const watchWorker = (worker: Worker, show: (picture: CanvasPicture) => void): WatchedWorker => {
  const inbox: MessageEvent[] = []
  const delivered = new WeakSet<Event>()
  let isAlive = true
  let draws = false
  /** False until its script has run: the script may be missing. */
  let isLoaded = false
  let answered: (() => void) | undefined
  const end = () => {
    isAlive = false
    answered?.()
  }
  natives.listen.call(worker, 'message', (event) => {
    if (delivered.has(event)) return
    event.stopImmediatePropagation()
    const { data } = event as MessageEvent<{
      [ORDER]?: WorkerAnswer
      [CANVASES]?: readonly CanvasPicture[]
    } | null>
    const drawn = data?.[CANVASES]
    if (drawn) return drawn.forEach(show)
    const answer = data?.[ORDER]
    if (answer === undefined) return void inbox.push(event as MessageEvent)
    isLoaded = true
    if (answer === 'closed') end()
    else answered?.()
  })
  natives.listen.call(worker, 'error', () => {
    if (!isLoaded) end()
  })
  return {
    worker,
    end,
    get isAlive() {
      return isAlive
    },
    get draws() {
      return draws
    },
    announce(ids) {
      draws ||= ids.some((id) => id > 0)
      natives.postToWorker.call(worker, { [CANVASES]: ids })
    },
    takeMessages: () => inbox.splice(0),
    deliver({ data, origin, ports }) {
      const event = new MessageEvent('message', { data, origin, ports: [...ports] })
      delivered.add(event)
      natives.dispatch.call(worker, event)
    },
    advance: (order) =>
      new Promise((resolve) => {
        answered = resolve
        natives.postToWorker.call(worker, { [ORDER]: order })
      }),
  }
}
