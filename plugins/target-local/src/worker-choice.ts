/** What a worker costs, as measured. */
export interface WorkerCosts {
  /** Cores that one worker, its browser and its encoder keep busy. */
  readonly coresEach: number
  /** Time that one worker takes for a frame, in milliseconds. */
  readonly frameMs: number
}

/** What a worker costs, and what is left to render. */
export interface WorkLeft extends WorkerCosts {
  /** Cores that this render may use. */
  readonly cores: number
  /** Frames that are left of each segment that a worker has started. */
  readonly running: readonly number[]
  /** Segments that no worker has started, in order. */
  readonly waiting: readonly WaitingSegment[]
  /** Number of workers, if those that find no segment waiting capture slices of the ones that others have started. */
  readonly slicing?: number | undefined
}

/** A segment that no worker has started. */
export interface WaitingSegment {
  readonly frames: number
  /** Frames that a new worker must draw before those of the segment. */
  readonly replayed: number
}

/** CPU time that a new worker takes before its first frame, in milliseconds: its browser, its page, and what that compares. */
const START_MS = 800

/**
 * The share of the time that must be saved for a worker to be worth its memory. One that saves nothing costs its start, at
 * most 2 % of the time in the simulated renders; one that is not added costs what it would have saved.
 */
const WORTH = 0.08

/** A time that is this share longer than the shortest is as good, with fewer workers. */
const AS_GOOD = 0.03

/** Workers that share the cores now. */
const countWorkers = ({ running, slicing }: WorkLeft): number => slicing ?? running.length

/** The same where segments are captured in slices, so that all workers are busy until the end. */
const slicedTime = (work: WorkLeft, added: number): number => {
  const { cores, coresEach, frameMs, running, waiting } = work
  const workers = countWorkers(work) + added
  const frames = [...running, ...waiting.map((segment) => segment.frames)].reduce((sum, count) => sum + count, 0)
  const speed = Math.min(1, cores / (workers * coresEach))
  return (frames * frameMs + (added * START_MS) / coresEach) / (workers * speed)
}

/** Time until everything is rendered when `added` workers start now; workers that need more than all cores slow each other down. */
export const timeLeft = (work: WorkLeft, added: number): number => {
  if (work.slicing !== undefined) return slicedTime(work, added)
  const { cores, coresEach, frameMs, running, waiting } = work
  const queue = [...waiting]
  /** Work of each worker in milliseconds, as long as there are free cores. */
  const busy = running.map((frames) => frames * frameMs)
  for (let count = Math.min(added, queue.length); count > 0; count -= 1) {
    const { frames = 0, replayed = 0 } = queue.shift() ?? {}
    busy.push(START_MS / coresEach + (replayed + frames) * frameMs)
  }
  let passedMs = 0
  while (busy.length > 0) {
    const speed = Math.min(1, cores / (busy.length * coresEach))
    const step = Math.min(...busy)
    passedMs += step / speed
    const rest = busy.map((work) => work - step).filter((work) => work > 0)
    const free = busy.length - rest.length
    const next = queue.splice(0, free).map(({ frames }) => frames * frameMs)
    busy.splice(0, busy.length, ...rest, ...next)
  }
  return passedMs
}

/** Number of workers to add, at most `most`: the fewest with which the rest takes about the shortest time. */
export const workersToAdd = (work: WorkLeft, most: number): number => {
  // One that finds no idle core at all would only even out the segments, for its memory.
  const useful = Math.ceil(work.cores / work.coresEach) - countWorkers(work)
  const length = Math.max(0, Math.min(most, useful)) + 1
  const times = Array.from({ length }, (_, added) => timeLeft(work, added))
  const [now = 0] = times
  const best = Math.min(...times)
  if (now === 0 || best > now * (1 - WORTH)) return 0
  return times.findIndex((time) => time <= best * (1 + AS_GOOD))
}
