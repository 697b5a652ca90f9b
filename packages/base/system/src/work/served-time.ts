import { loadBetween, readTreeTimes, type TreeTimes } from '../processes/tree-load.ts'

/** Time after which a wait is watched: nearly all are shorter, and looking at all threads costs some milliseconds. */
const UNWATCHED_MS = 1_000

/** Time between two looks. */
const LOOK_MS = 1_000

/** The most that counts between two looks: when the whole machine stood still, nothing was waited for. */
const MAX_LOOK_MS = 2_000

/** The time of a wait, in milliseconds, as far as it says something about what is waited for. */
export interface ServedTime {
  /** Without the time in which the machine kept this process and those below it waiting for a processor or a disk. */
  readonly servedMs: number
  /** Of that, the time in which none of them did anything. */
  readonly idleMs: number
}

/** A clock of served time. */
export interface ServedClock {
  now(): ServedTime
  stop(): void
}

/** Starts a clock of served time, which is the real time on an idle machine; `onTick` is called whenever it went on. */
export const startServedClock = (onTick: () => void = () => {}, unwatchedMs: number = UNWATCHED_MS): ServedClock => {
  const startMs = performance.now()
  let watched: { servedMs: number; idleMs: number } | undefined
  let isStopped = false
  const look = async (times: { servedMs: number; idleMs: number }, before: TreeTimes) => {
    const now = await readTreeTimes()
    if (isStopped) return
    const { busy, served, passedMs } = loadBetween(before, now)
    const countedMs = Math.min(MAX_LOOK_MS, Math.max(LOOK_MS, passedMs))
    times.servedMs += countedMs * served
    times.idleMs += countedMs * Math.min(served, 1 - busy)
    onTick()
    if (!isStopped) timer = setTimeout(() => void look(times, now), LOOK_MS)
  }
  const watch = async () => {
    const times = { servedMs: unwatchedMs, idleMs: unwatchedMs }
    watched = times
    onTick()
    const first = isStopped ? undefined : await readTreeTimes()
    if (first && !isStopped) timer = setTimeout(() => void look(times, first), LOOK_MS)
  }
  let timer = setTimeout(() => void watch(), unwatchedMs)
  return {
    now() {
      if (watched) return { ...watched }
      const passedMs = Math.min(unwatchedMs, performance.now() - startMs)
      return { servedMs: passedMs, idleMs: passedMs }
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Calls back once, after `ms` of served time; returns a function that prevents it. */
export const afterServed = (ms: number, call: () => void): (() => void) => {
  const unwatchedMs = Math.min(UNWATCHED_MS, ms / 2)
  const clock = startServedClock(() => {
    if (clock.now().servedMs < ms) return
    clock.stop()
    call()
  }, unwatchedMs)
  return clock.stop
}

/**
 * Runs work with a signal that also aborts after `ms` of served time, with the reason of `late`. For what this machine
 * does itself: a load of other programs, however heavy, is no fault of the work.
 */
export const withinServed = async <T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  {
    signal,
    late = () => new Error(`it did not finish within ${ms / 1000} s`),
  }: {
    readonly signal?: AbortSignal | undefined
    readonly late?: () => Error
  } = {},
): Promise<T> => {
  const limit = new AbortController()
  const cancel = afterServed(ms, () => limit.abort(late()))
  try {
    return await work(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal)
  } catch (thrown) {
    throw limit.signal.aborted && !signal?.aborted ? limit.signal.reason : thrown
  } finally {
    cancel()
  }
}
