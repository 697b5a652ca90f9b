// A worker is a browser and an encoder; at 1080p the two stay below this.
const WORKER_BYTES = 700 * 2 ** 20

/** As many as a request may name. */
const MOST_WORKERS = 8

/** Workers that a render may have: the number that is wanted, or what memory holds; never more than there are segments. */
export const mostWorkers = (wanted: number | 'auto', segments: number, memoryBytes: number): number => {
  const fitting = Math.max(1, Math.floor(memoryBytes / WORKER_BYTES / 2))
  return Math.min(wanted === 'auto' ? Math.min(MOST_WORKERS, fitting) : wanted, segments)
}

/** Workers that surely have room: a capture and its encoder keep about two cores busy at 1080p. */
export const firstWorkers = (most: number, cores: number): number =>
  Math.max(1, Math.min(4, most, Math.floor(cores / 3)))

/**
 * Whether each worker may begin a segment while the one before is still encoded: for a while it has two encoders. What it
 * gains, some hundredths of the time, is worth that memory only where there is plenty.
 */
export const holdsTwoEncoders = (workers: number, memoryBytes: number): boolean =>
  workers * 12 * WORKER_BYTES <= memoryBytes

/** Cores that this process may use, and how many of them everything that runs on them has used. */
export interface Load {
  readonly cores: number
  readonly busy: number
}

/** Workers that the idle cores have room for, if each takes what those that there are took. */
export const moreWorkers = ({ cores, busy }: Load, workers: number, most: number): number => {
  // A capture and its encoder use one core at the least; the measure is a rough one.
  const each = Math.max(1, busy / workers)
  const idle = Math.max(0, cores - busy)
  return Math.max(0, Math.min(most - workers, Math.floor(idle / each + 0.25)))
}
