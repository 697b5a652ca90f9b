import { type Load, moreWorkers } from './workers.ts'

/** Frames of a worker after which its encoder looks ahead no further, and uses what it always will. */
const SETTLED_FRAMES = 48
/** A render whose frames are slower than those is looked at after this time, in milliseconds. */
const SETTLED_MS = 5_000
const TICK_MS = 250
const MEASURED_MS = 1_000

export interface CrewOptions {
  /** Workers at the beginning, and at most; between them it is measured how many the machine has room for. */
  readonly first: number
  readonly most: number
  /** Begins to measure what the machine does. */
  measure(): () => Load
  /** Segments that no worker has taken. */
  waiting(): number
  /** What one worker does, until nothing is left to do. */
  work(): Promise<void>
}

/** Some workers, and more of them once it is known that the machine has room. */
export const createCrew = ({ first, most, measure, waiting, work }: CrewOptions) => {
  const workers: Promise<void>[] = []
  const begin = (count: number) => {
    for (let left = count; left > 0; left--) workers.push(work())
  }
  let frames = 0
  let changedMs = performance.now()
  let measured: { readonly read: () => Load; readonly fromMs: number } | undefined
  const startMeasuring = () => {
    measured = { read: measure(), fromMs: performance.now() }
  }
  const look = () => {
    const now = performance.now()
    const isSettled = frames >= SETTLED_FRAMES * workers.length || now - changedMs >= SETTLED_MS
    if (!isSettled || waiting() === 0) return
    if (!measured) startMeasuring()
    else if (now - measured.fromMs >= MEASURED_MS) {
      const more = Math.min(moreWorkers(measured.read(), workers.length, most), waiting())
      if (more === 0) return startMeasuring()
      begin(more)
      frames = 0
      changedMs = now
      measured = undefined
    }
  }
  return {
    /** Says that a frame has been captured. */
    onFrame() {
      frames += 1
    },
    count: () => workers.length,
    /** Resolves when all have ended; rejects as the first that failed, once the others have ended too. */
    async run(): Promise<void> {
      begin(first)
      const timer = first < most ? setInterval(look, TICK_MS) : undefined
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
