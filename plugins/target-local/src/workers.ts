import { availableParallelism } from 'node:os'

// A worker is a browser and an encoder; at 1080p the two stay below this.
const WORKER_BYTES = 700 * 2 ** 20

/** Half of the cores, at most 4 and what memory holds; never more than there are segments. */
export const workerCount = (
  wanted: number | 'auto',
  segments: number,
  memoryBytes: number,
  cores = availableParallelism(),
): number => {
  const fitting = Math.max(1, Math.floor(memoryBytes / WORKER_BYTES / 2))
  const auto = Math.max(1, Math.min(4, Math.floor(cores / 2), fitting))
  return Math.min(wanted === 'auto' ? auto : wanted, segments)
}
