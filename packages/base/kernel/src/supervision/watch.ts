import { failRender, type Timing } from '@vid/protocol'
import { afterServed } from '@vid/system'
import { checkStep } from './answers.ts'
import { blame } from './blame.ts'
import { inCall } from './current-call.ts'
import { innermostCall, type PendingCall, trackCall } from './pending-calls.ts'

// Served time that a plugin may take to stop once its signal has aborted.
const GRACE_MS = 10_000

/** For calls that only end something: their time to stop begins with the call. */
const ENDING = AbortSignal.abort()

/** Watches a call until the function that this returns is called; `onStep` is called both times. */
const begin = (call: PendingCall, onStep: () => void): (() => void) => {
  const settle = trackCall(call)
  onStep()
  return () => {
    settle()
    onStep()
  }
}

/**
 * Runs plugin code of one render: measures it, names its plugin in errors, and limits how long it may take to stop.
 * `onStep` is called when a call begins or ends.
 */
export const createWatch = (signal: AbortSignal, onStep: () => void = () => {}) => {
  const timings = new Map<string, { -readonly [K in keyof Timing]: Timing[K] }>()
  const charge = (plugin: string, hook: string, ms: number, calls = 1) => {
    const timing = timings.get(`${plugin}\n${hook}`) ?? { plugin, hook, calls: 0, ms: 0 }
    timings.set(`${plugin}\n${hook}`, timing)
    timing.calls += calls
    timing.ms += ms
  }
  const run = <T>(plugin: string, hook: string, work: () => T | PromiseLike<T>, callSignal = signal): Promise<T> => {
    const from = performance.now()
    const call = { plugin, hook, signal, stall: () => {} }
    const stalled = new Promise<never>((_, reject) => {
      call.stall = () => reject(failRender('VID_PLUGIN_STALLED', { plugin, hook }, { plugin, hook }))
    })
    let cancel = () => {}
    // A call that waits for an inner call is not the cause: the inner one stalls first.
    const wait = (ms: number) => {
      cancel = afterServed(ms, () => (innermostCall(signal) === call ? call.stall() : wait(GRACE_MS / 10)))
    }
    const onAbort = () => wait(GRACE_MS)
    const settle = begin(call, onStep)
    if (callSignal.aborted) onAbort()
    else callSignal.addEventListener('abort', onAbort, { once: true })
    return Promise.race([stalled, Promise.resolve().then(() => inCall(plugin, hook, work))])
      .catch((thrown: unknown) => {
        throw blame(thrown, plugin, hook)
      })
      .finally(() => {
        cancel()
        callSignal.removeEventListener('abort', onAbort)
        settle()
        charge(plugin, hook, performance.now() - from)
      })
  }
  /** Runs what closes a thing that a plugin has opened; it may not take longer than a plugin may take to stop. */
  const close = (plugin: string, hook: string, work: () => Promise<void>): Promise<void> =>
    run(plugin, hook, work, ENDING)
  const runSync = <T>(plugin: string, hook: string, work: () => T): T => {
    const from = performance.now()
    try {
      return inCall(plugin, hook, work)
    } catch (thrown) {
      throw blame(thrown, plugin, hook)
    } finally {
      charge(plugin, hook, performance.now() - from)
    }
  }
  /** The same for every step of an iteration. */
  const iterate = <T>(plugin: string, hook: string, from: () => AsyncIterable<T>, callSignal: AbortSignal) => ({
    [Symbol.asyncIterator](): AsyncIterator<T> {
      const source = runSync(plugin, hook, () => from()[Symbol.asyncIterator]())
      const stop = source.return?.bind(source)
      return {
        next: () => run(plugin, hook, () => source.next(), callSignal).then((step) => checkStep(plugin, hook, step)),
        ...(stop && { return: () => run(plugin, hook, () => stop(), callSignal) }),
      }
    },
  })
  return { run, close, runSync, iterate, charge, timings: (): readonly Timing[] => [...timings.values()] }
}
export type Watch = ReturnType<typeof createWatch>
