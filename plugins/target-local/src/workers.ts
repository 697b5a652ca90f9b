import { type WaitingSegment, workersToAdd } from './worker-choice.ts'

/** Memory of one worker, a browser and an encoder, at 1080p. */
const WORKER_BYTES = 700 * 2 ** 20

/** What a worker takes beside that when its page draws with WebGL: 340 to 700 MiB were measured without a GPU. */
const WEBGL_BYTES = 700 * 2 ** 20

const PIXELS_1080P = 1920 * 1080

/** What each pixel of a larger picture takes beside that: 1.9 GB were measured at 4k. */
const BYTES_PER_PIXEL = 120

/** Limit on the workers of `auto`. */
const MAX_WORKERS = 8

/** What decides about a page how many workers are worth while. */
export interface WorkerPage {
  /** Whether each worker draws all frames before its own. */
  readonly stateful?: boolean
  readonly drawsWebgl?: boolean
  /** Of the picture; 1080p or less if left out. */
  readonly pixels?: number
}

const workerBytes = ({ drawsWebgl, pixels = 0 }: WorkerPage): number =>
  WORKER_BYTES + (drawsWebgl ? WEBGL_BYTES : 0) + Math.max(0, pixels - PIXELS_1080P) * BYTES_PER_PIXEL

const fittingWorkers = (memoryBytes: number, page: WorkerPage): number => {
  // Without a GPU, one such page draws on all cores, and more workers only draw the same frames again.
  if (page.stateful && page.drawsWebgl) return 1
  return Math.max(1, Math.min(MAX_WORKERS, Math.floor(memoryBytes / workerBytes(page) / 2)))
}

/** Cores that a capture and its encoder keep busy at 1080p. */
const WORKER_CORES = 2

/**
 * Limit on the workers of a render: the requested number, or what fits in memory, and in a share of the cores when other
 * renders have the rest; never more than `pages`, which can capture at once.
 */
export const maxWorkers = (
  requested: number | 'auto',
  pages: number,
  memoryBytes: number,
  page: WorkerPage = {},
  shareOfCores = Number.POSITIVE_INFINITY,
): number => {
  const fitting = Math.min(fittingWorkers(memoryBytes, page), Math.max(1, Math.floor(shareOfCores / WORKER_CORES)))
  return Math.min(requested === 'auto' ? fitting : requested, pages)
}

/** Workers that are worth while at the start although each draws all frames before its own. */
const MAX_FIRST_STATEFUL = 4

/**
 * Number of workers to start with: as many as keep the cores busy at 1080p, so that a short render has them from its
 * start; fewer where each draws frames again, and one for a page with WebGL, which keeps all cores busy.
 */
export const firstWorkers = (max: number, cores: number, { drawsWebgl, stateful }: WorkerPage = {}): number => {
  if (drawsWebgl) return 1
  const busy = stateful ? Math.min(MAX_FIRST_STATEFUL, cores / (WORKER_CORES + 1)) : cores / WORKER_CORES
  return Math.max(1, Math.min(max, Math.floor(busy)))
}

/** What capturing a frame is expected to take before any was captured, in milliseconds: 35 at 1080p. */
const expectedFrameMs = (pixels: number): number => 4 + (31 * pixels) / PIXELS_1080P

/**
 * How many of the first workers are worth while: one for each segment, and others only if slices of the segments take
 * longer than the start of another page.
 */
export const worthwhileWorkers = (
  first: number,
  cores: number,
  segments: readonly Pick<WaitingSegment, 'frames'>[],
  { pixels = PIXELS_1080P }: WorkerPage = {},
): number => {
  const capturing = Math.min(first, segments.length)
  const costs = { cores, coresEach: WORKER_CORES, frameMs: expectedFrameMs(pixels) }
  const running = segments.slice(0, capturing).map(({ frames }) => frames)
  return capturing + workersToAdd({ ...costs, running, waiting: [], slicing: capturing }, first - capturing)
}

/** What a worker holds of frames whose encoder waits for the one before, with what the capture of them takes. */
const HELD_BYTES = 200 * 2 ** 20

/**
 * Whether each worker may capture a segment while the one before is still being encoded, and hold its first frames until
 * then. This saves a few percent of the time.
 */
export const hasMemoryToHold = (
  workers: number,
  memoryBytes: number,
  { pixels = 0 }: Pick<WorkerPage, 'pixels'> = {},
): boolean => workers * 2 * (workerBytes({ pixels }) + HELD_BYTES) <= memoryBytes

/** Cores that this process may use, and how many of them are busy with any process. */
export interface Load {
  readonly cores: number
  readonly busy: number
}

/** The load of a share of the cores, when the renders that have the other shares are as busy as this one. */
export const loadOfShare = ({ cores, busy }: Load, share: number): Load =>
  share < cores ? { cores: share, busy: (busy * share) / cores } : { cores, busy }
