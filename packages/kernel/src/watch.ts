import { describeCause, isVidError, type VidError } from '@vid/protocol'
import { fail } from './kernel-errors.ts'

/** Time that one plugin spent in one hook. */
export interface Timing {
  readonly plugin: string
  readonly hook: string
  calls: number
  ms: number
}

// How long a plugin may take to stop once its signal has aborted.
const GRACE_MS = 10_000

/** Turns anything thrown into a coded error; the innermost plugin keeps the blame. */
export const blame = (thrown: unknown, plugin: string, hook: string): VidError => {
  if (!isVidError(thrown))
    return fail(
      'VID_PLUGIN_FAILED',
      { plugin, hook, reason: describeCause(thrown) },
      { plugin, hook, cause: thrown },
    )
  thrown.plugin ??= plugin
  thrown.hook ??= hook
  return thrown
}

/** Runs plugin code: measures it, blames it, and never waits for it for ever. */
export const createWatch = () => {
  const timings = new Map<string, Timing>()
  const stalled = new Set<() => void>()
  // Nothing is left that could settle these promises: without this, the process would end with 0.
  const onEmptyLoop = () => {
    for (const report of stalled) report()
  }
  const charge = (plugin: string, hook: string, ms: number, calls = 1) => {
    const timing = timings.get(`${plugin}\n${hook}`) ?? { plugin, hook, calls: 0, ms: 0 }
    timings.set(`${plugin}\n${hook}`, timing)
    timing.calls += calls
    timing.ms += ms
  }
  const run = <T>(
    plugin: string,
    hook: string,
    work: () => T | PromiseLike<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    const from = performance.now()
    let report = () => {}
    let timer: NodeJS.Timeout | undefined
    const onAbort = () => {
      timer = setTimeout(report, GRACE_MS)
    }
    return Promise.race([
      new Promise<never>((_, reject) => {
        report = () => reject(fail('VID_PLUGIN_STALLED', { plugin, hook }, { plugin, hook }))
        stalled.add(report)
        if (stalled.size === 1) process.on('beforeExit', onEmptyLoop)
        if (signal?.aborted) onAbort()
        else signal?.addEventListener('abort', onAbort, { once: true })
      }),
      Promise.resolve().then(work),
    ])
      .catch((thrown: unknown) => {
        throw blame(thrown, plugin, hook)
      })
      .finally(() => {
        clearTimeout(timer)
        stalled.delete(report)
        if (stalled.size === 0) process.off('beforeExit', onEmptyLoop)
        signal?.removeEventListener('abort', onAbort)
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
  return { run, runSync, charge, timings: (): readonly Timing[] => [...timings.values()] }
}
export type Watch = ReturnType<typeof createWatch>
