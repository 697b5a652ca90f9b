import { FREE_TEMPORARY_STORAGE, INLINE_MAP_ITERATIONS } from '../contract/limits.ts'
import type { RegionPrices } from './prices.ts'

/** Number of calls of each action, and of their chunks and segments. */
export interface CallCounts {
  /** Executions of the workflow. */
  readonly executions: number
  readonly plan: number
  readonly segment: number
  /** Calls that publish a video while it is rendered. */
  readonly publish: number
  readonly assemble: number
  readonly abandon: number
  /** Calls of all executions with more calls at once than an inline Map runs. */
  readonly wideChunks: number
  /** Segments that were rendered or reused. */
  readonly segments: number
  /** Executions whose Plan succeeded. */
  readonly planned: number
  /** Files in results that are folders: each is stored separately. */
  readonly files: number
}

/** The quantities that AWS bills. */
export interface Usage {
  readonly calls: number
  readonly billedSeconds: number
  readonly transitions: number
  readonly s3Writes: number
  readonly s3Reads: number
}

/** Memory and storage of the function. */
export interface FunctionSize {
  readonly memoryMb: number
  readonly storageMb: number
}

/** Whether this many chunks run in a distributed Map. */
export const isWide = (chunks: number): boolean => chunks > INLINE_MAP_ITERATIONS

/**
 * Number of state transitions of executions: their start and end, Plan, the choice of a Map, the Map, each attempt at a
 * chunk, Assemble; Abandon and Fail. A chunk of a distributed Map is an execution, with a start and an end.
 */
export const countTransitions = (counts: CallCounts): number =>
  2 * counts.executions +
  counts.plan +
  2 * counts.planned +
  counts.segment +
  counts.publish +
  2 * counts.wideChunks +
  counts.assemble +
  2 * counts.abandon

/**
 * Requests to S3 per call, and per segment; LIST is billed like PUT. Counted at the test server for rendered and stored
 * segments: a reused one has fewer writes and more reads.
 */
const REQUESTS = {
  plan: { writes: 4, reads: 1 },
  /** Includes its record, which Assemble reads, and the project, which a new environment fetches. */
  segment: { writes: 3, reads: 4 },
  /** Includes what it asks about segments for a minute; the files that it stores are counted with the result. */
  publish: { writes: 64, reads: 64 },
  eachSegment: { writes: 5, reads: 1 },
  assemble: { writes: 7, reads: 3 },
  abandon: { writes: 4, reads: 1 },
} as const

/** Approximate number of S3 requests for this many calls. */
export const countS3Requests = (counts: CallCounts): { readonly writes: number; readonly reads: number } => {
  const sum = (kind: 'writes' | 'reads') =>
    counts.plan * REQUESTS.plan[kind] +
    counts.segment * REQUESTS.segment[kind] +
    counts.publish * REQUESTS.publish[kind] +
    counts.segments * REQUESTS.eachSegment[kind] +
    counts.assemble * REQUESTS.assemble[kind] +
    counts.abandon * REQUESTS.abandon[kind]
  return { writes: sum('writes') + counts.files, reads: sum('reads') }
}

/** Cost in US dollars by billed quantity. */
export interface CostParts {
  /** Memory, and with it processors, for the duration of calls. */
  readonly compute: number
  readonly calls: number
  /** /tmp above the free 512 MB. */
  readonly temporaryStorage: number
  readonly transitions: number
  readonly s3Requests: number
}

/** In US dollars. */
export interface Cost {
  readonly usd: number
  readonly byPart: CostParts
}

/** The cost of usage at the prices of a region. */
export const costOf = (usage: Usage, { memoryMb, storageMb }: FunctionSize, prices: RegionPrices): Cost => {
  const paidStorageMb = Math.max(0, storageMb - FREE_TEMPORARY_STORAGE)
  const byPart: CostParts = {
    compute: usage.billedSeconds * (memoryMb / 1024) * prices.computeGbSecond,
    calls: usage.calls * prices.call,
    temporaryStorage: usage.billedSeconds * (paidStorageMb / 1024) * prices.temporaryStorageGbSecond,
    transitions: usage.transitions * prices.stateTransition,
    s3Requests: usage.s3Writes * prices.s3Write + usage.s3Reads * prices.s3Read,
  }
  return { usd: Object.values(byPart).reduce((sum, part) => sum + part, 0), byPart }
}
