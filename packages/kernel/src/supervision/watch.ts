import { failRender, type Timing } from '@vid/protocol'
import { blame } from './blame.ts'
import { innermostCall, trackCall } from './pending-calls.ts'

// How long a plugin may take to stop once its signal has aborted.
const GRACE_MS = 10_000

/** Runs plugin code of one render: measures it, blames it, and never waits for it for ever. */
export const createWatch = (signal: AbortSignal) => {
  const timings = new Map<string, { -readonly [K in keyof Timing]: Timing[K] }>()
  const charge = (plugin: string, hook: string, ms: number, calls = 1) => {
    const timing = timings.get(`${plugin}\n${hook}`) ?? { plugin, hook, calls: 0, ms: 0 }
    timings.set(`${plugin}\n${hook}`, timing)
    timing.calls += calls
    timing.ms += ms
  }
  const run = <T>(plugin: string, hook: string, work: () => T | PromiseLike<T>, own = signal): Promise<T> => {
    const from = performance.now()
    const call = { signal, stall: () => {} }
    const stalled = new Promise<never>((_, reject) => {
      call.stall = () => reject(failRender('VID_PLUGIN_STALLED', { plugin, hook }, { plugin, hook }))
    })
    let timer: NodeJS.Timeout | undefined
    // Who waits for a call inside is not to blame: that one goes first.
    const wait = (ms: number) => {
      timer = setTimeout(() => (innermostCall(signal) === call ? call.stall() : wait(GRACE_MS / 10)), ms)
    }
    const onAbort = () => wait(GRACE_MS)
    const settle = trackCall(call)
    if (own.aborted) onAbort()
    else own.addEventListener('abort', onAbort, { once: true })
    return Promise.race([stalled, Promise.resolve().then(work)])
      .catch((thrown: unknown) => {
        throw blame(thrown, plugin, hook)
      })
      .finally(() => {
        clearTimeout(timer)
        own.removeEventListener('abort', onAbort)
        settle()
        charge(plugin, hook, performance.now() - from)
      })
  }
  const runSync = <T>(plugin: string, hook: string, work: () => T): T => {
    const from = performance.now()
    try {
      return work()
    } catch (thrown) {
      throw blame(thrown, plugin, hook)
    } finally {
      charge(plugin, hook, performance.now() - from)
    }
  }
  /** The same for every step of an iteration. */
  const iterate = <T>(plugin: string, hook: string, from: AsyncIterable<T>, own: AbortSignal) => ({
    [Symbol.asyncIterator](): AsyncIterator<T> {
      const source = from[Symbol.asyncIterator]()
      const stop = source.return?.bind(source)
      return {
        next: () => run(plugin, hook, () => source.next(), own),
        ...(stop && { return: () => run(plugin, hook, () => stop(), own) }),
      }
    },
  })
  return { run, runSync, iterate, charge, timings: (): readonly Timing[] => [...timings.values()] }
}
export type Watch = ReturnType<typeof createWatch>
