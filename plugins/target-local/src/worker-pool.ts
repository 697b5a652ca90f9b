import { type WorkerCosts, type WorkLeft, workersToAdd } from './worker-choice.ts'
import type { Load } from './workers.ts'

/** Time after which the load counts as steady even with fewer frames, in milliseconds. */
const SETTLED_MS = 5_000
/** Interval of the checks whether to add workers, in milliseconds. */
const CHECK_MS = 100
/** Shortest duration of a load measurement, in milliseconds; it lasts longer where few frames were captured in it. */
const MEASURE_MS = 500
/** Longest duration of a load measurement, in milliseconds. */
const MAX_MEASURE_MS = 1_000

/** Size of a worker pool and what its workers do. */
export interface WorkerPoolOptions {
  /** Number of workers at the start. */
  readonly first: number
  /** Limit on workers; below it, what the first ones cost decides how many are added. */
  readonly max: number
  /** Frames per worker after which its load is steady. */
  readonly settledFrames: number
  /** Starts a measurement of the machine's load; the result reads it. */
  measure(): () => Load
  /** What is left of the segments, and whether several workers may capture one. */
  left(): Pick<WorkLeft, 'running' | 'waiting'> & { readonly isSliceable?: boolean }
  /** Runs one worker until no segment is left. */
  work(): Promise<void>
  /** Called with what a single worker costs; several slow each other down. */
  onCosts?(costs: WorkerCosts): void
}

/** Starts workers and adds them to those of a pool. */
const startWorkers = (workers: Promise<void>[], count: number, work: () => Promise<void>) => {
  for (let missing = count; missing > 0; missing--) {
    const worker = work()
    // Of a worker that is added later, `run` learns only once the ones before it have ended.
    worker.catch(() => {})
    workers.push(worker)
  }
}

/** Settles when all workers have ended, also those that are added meanwhile; rejects with the first failure after that. */
const settleAll = async (workers: readonly Promise<void>[]) => {
  const outcomes: PromiseSettledResult<void>[] = []
  while (outcomes.length < workers.length) outcomes.push(...(await Promise.allSettled(workers.slice(outcomes.length))))
  for (const result of outcomes) if (result.status === 'rejected') throw result.reason
}

/** Creates a pool that starts with some workers and adds more where the rest is then rendered sooner. */
export const createWorkerPool = (options: WorkerPoolOptions) => {
  const { first, max, settledFrames, measure, left, work, onCosts } = options
  const workers: Promise<void>[] = []
  let frames = 0
  let changedMs = performance.now()
  let measurement: { readonly read: () => Load; readonly startMs: number; readonly frames: number } | undefined
  const startMeasuring = () => {
    measurement = { read: measure(), startMs: performance.now(), frames }
  }
  /** Adds workers if it is worth it; returns their number. */
  const add = (costs: WorkerCosts, cores: number): number => {
    const { running, waiting, isSliceable } = left()
    const slicing = isSliceable ? workers.length : undefined
    const more = workersToAdd({ running, waiting, slicing, ...costs, cores }, max - workers.length)
    if (more === 0) return 0
    startWorkers(workers, more, work)
    frames = 0
    changedMs = performance.now()
    measurement = undefined
    return more
  }
  const check = () => {
    const now = performance.now()
    const enoughFrames = settledFrames * workers.length
    const isSettled = frames >= enoughFrames || now - changedMs >= SETTLED_MS
    const { waiting, isSliceable } = left()
    if (!isSettled || (waiting.length === 0 && !isSliceable)) return
    if (!measurement) return startMeasuring()
    const passedMs = now - measurement.startMs
    const neededMs = frames - measurement.frames >= enoughFrames ? MEASURE_MS : MAX_MEASURE_MS
    if (passedMs < neededMs) return
    const { cores, busy } = measurement.read()
    // A worker needs at least one core; the measurement is rough.
    const coresEach = Math.max(1, busy / workers.length)
    const frameMs = (passedMs * workers.length) / Math.max(1, frames - measurement.frames)
    if (workers.length === 1) onCosts?.({ coresEach, frameMs })
    if (add({ coresEach, frameMs }, cores) === 0) startMeasuring()
  }
  return {
    /** Counts a captured frame. */
    onFrame() {
      frames += 1
    },
    count: () => workers.length,
    /** Adds workers at once if that is worth it with the costs of an earlier render. */
    expect(costs: WorkerCosts, cores: number): void {
      if (first < max) add(costs, cores)
    },
    /** Runs the workers until all have ended; rejects with the first failure after that. */
    async run(): Promise<void> {
      startWorkers(workers, first, work)
      const timer = first < max ? setInterval(check, CHECK_MS) : undefined
      try {
        await settleAll(workers)
      } finally {
        clearInterval(timer)
      }
    },
  }
}
