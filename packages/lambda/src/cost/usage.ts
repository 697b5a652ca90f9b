import { FREE_TEMPORARY_STORAGE, INLINE_MAP_ITERATIONS } from '../contract/limits.ts'
import type { RegionPrices } from './prices.ts'

/** How often each action of the function was called, and for how many chunks and segments. */
export interface CallCounts {
  /** Executions of the workflow. */
  readonly executions: number
  readonly plan: number
  readonly segment: number
  readonly assemble: number
  readonly abandon: number
  /** Chunks of all executions that have more than an inline Map runs at once. */
  readonly wideChunks: number
  /** Segments that were rendered or found. */
  readonly segments: number
  /** Executions whose Plan succeeded. */
  readonly planned: number
  /** Files of results that are folders: each is put by itself. */
  readonly files: number
}

/** What AWS bills. */
export interface Usage {
  readonly calls: number
  readonly billedSeconds: number
  readonly transitions: number
  readonly s3Writes: number
  readonly s3Reads: number
}

/** Size of the function. */
export interface FunctionSize {
  readonly memoryMb: number
  readonly storageMb: number
}

/** Whether so many chunks run in a distributed Map. */
export const isWide = (chunks: number): boolean => chunks > INLINE_MAP_ITERATIONS

/**
 * States that executions enter: their start and end, Plan, the choice of a Map, the Map, each attempt at a chunk,
 * Assemble; Abandon and Fail. A chunk of a distributed Map is an execution, with a start and an end.
 */
export const countTransitions = (counts: CallCounts): number =>
  2 * counts.executions +
  counts.plan +
  2 * counts.planned +
  counts.segment +
  2 * counts.wideChunks +
  counts.assemble +
  2 * counts.abandon

/**
 * Requests to S3 that a call makes, and those for each segment; LIST costs what a PUT costs. Counted at a server of
 * the tests, for segments that are rendered and kept: one that is reused has fewer writes and more reads.
 */
const REQUESTS = {
  plan: { writes: 4, reads: 1 },
  /** With its record, which Assemble reads, and the project, which a new environment fetches. */
  segment: { writes: 3, reads: 4 },
  eachSegment: { writes: 5, reads: 1 },
  assemble: { writes: 7, reads: 3 },
  abandon: { writes: 4, reads: 1 },
} as const

/** About how many requests to S3 so many calls make. */
export const countS3Requests = (counts: CallCounts): { readonly writes: number; readonly reads: number } => {
  const sum = (kind: 'writes' | 'reads') =>
    counts.plan * REQUESTS.plan[kind] +
    counts.segment * REQUESTS.segment[kind] +
    counts.segments * REQUESTS.eachSegment[kind] +
    counts.assemble * REQUESTS.assemble[kind] +
    counts.abandon * REQUESTS.abandon[kind]
  return { writes: sum('writes') + counts.files, reads: sum('reads') }
}

/** US dollars for each thing that AWS bills. */
export interface CostParts {
  /** Memory, and with it processors, for the time of calls. */
  readonly compute: number
  readonly calls: number
  /** /tmp above the 512 MB that are free. */
  readonly temporaryStorage: number
  readonly transitions: number
  readonly s3Requests: number
}

/** US dollars. */
export interface Cost {
  readonly usd: number
  readonly byPart: CostParts
}

/** What usage costs at the prices of a region. */
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
