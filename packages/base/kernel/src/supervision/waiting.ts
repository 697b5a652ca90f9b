import { innermostCall } from './pending-calls.ts'

/** Milliseconds without anything new after which a render says what it waits for; then after twice as long, and so on. */
const FIRST_MS = 30_000

const LOOK_MS = 5000

/** What a render waits for. */
interface Waiting {
  readonly plugin: string
  readonly hook: string
  /** Since the last thing that happened in the render. */
  readonly seconds: number
}

/** Tells what a render waits for while nothing happens in it, until its signal aborts. */
export const createWaiting = (signal: AbortSignal, tell: (waiting: Waiting) => void) => {
  let lastMs = performance.now()
  let nextMs = FIRST_MS
  const look = () => {
    const quietMs = performance.now() - lastMs
    const call = quietMs < nextMs ? undefined : innermostCall(signal)
    if (!call) return
    nextMs *= 2
    tell({ plugin: call.plugin, hook: call.hook, seconds: Math.round(quietMs / 1000) })
  }
  // A call that nothing is left to settle is noticed by a process without anything to do.
  const timer = setInterval(look, LOOK_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  return {
    /** Notes that something happened. */
    touch() {
      lastMs = performance.now()
      nextMs = FIRST_MS
    },
  }
}
