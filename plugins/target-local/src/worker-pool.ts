import { type Load, moreWorkers } from './workers.ts'

/** Frames per worker after which the encoder's lookahead is full and its load is steady. */
const SETTLED_FRAMES = 48
/** Time after which the load counts as steady even with fewer frames, in milliseconds. */
const SETTLED_MS = 5_000
/** Interval of the checks whether to add workers, in milliseconds. */
const CHECK_MS = 250
/** Duration of a load measurement, in milliseconds. */
const MEASURE_MS = 1_000

/** Size of a worker pool and what its workers do. */
export interface WorkerPoolOptions {
  /** Number of workers at the start. */
  readonly first: number
  /** Limit on workers; below it, the measured load decides how many are added. */
  readonly max: number
  /** Starts a measurement of the machine's load; the result reads it. */
  measure(): () => Load
  /** Number of segments that no worker has started. */
  waiting(): number
  /** Runs one worker until no segment is left. */
  work(): Promise<void>
}

/** Creates a pool that starts with some workers and adds more while the machine has idle cores. */
export const createWorkerPool = ({ first, max, measure, waiting, work }: WorkerPoolOptions) => {
  const workers: Promise<void>[] = []
  const start = (count: number) => {
    for (let left = count; left > 0; left--) workers.push(work())
  }
  let frames = 0
  let changedMs = performance.now()
  let measurement: { readonly read: () => Load; readonly startMs: number } | undefined
  const startMeasuring = () => {
    measurement = { read: measure(), startMs: performance.now() }
  }
  const check = () => {
    const now = performance.now()
    const isSettled = frames >= SETTLED_FRAMES * workers.length || now - changedMs >= SETTLED_MS
    if (!isSettled || waiting() === 0) return
    if (!measurement) startMeasuring()
    else if (now - measurement.startMs >= MEASURE_MS) {
      const more = Math.min(moreWorkers(measurement.read(), workers.length, max), waiting())
      if (more === 0) return startMeasuring()
      start(more)
      frames = 0
      changedMs = now
      measurement = undefined
    }
  }
  return {
    /** Counts a captured frame. */
    onFrame() {
      frames += 1
    },
    count: () => workers.length,
    /** Runs the workers until all have ended; rejects with the first failure after that. */
    async run(): Promise<void> {
      start(first)
      const timer = first < max ? setInterval(check, CHECK_MS) : undefined
      try {
        const ended: PromiseSettledResult<void>[] = []
        while (ended.length < workers.length)
          ended.push(...(await Promise.allSettled(workers.slice(ended.length))))
        for (const each of ended) if (each.status === 'rejected') throw each.reason
      } finally {
        clearInterval(timer)
      }
    },
  }
}
