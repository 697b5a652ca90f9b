import { SEGMENT_FRAMES } from '../contract/limits.ts'
import { frameBytes, frameSeconds, joinSeconds, type Level } from './frame-costs.ts'

/** MB of memory for which Lambda gives one processor. */
const PROCESSOR_MB = 1769

/** Processors that one worker keeps busy: a browser and an encoder, which wait for each other. */
const WORKER_PROCESSORS = 1.5

const MOST_WORKERS = 8

/** Time of a processor of Lambda as a part of that where frames were measured: an assumption, until it is measured there. */
const SPEED = { low: 1.2, expected: 0.8, high: 0.5 } as const

/** Time until a new environment takes its first call. Lambda ends a start after 10 seconds. */
const COLD_SECONDS = { low: 1, expected: 4, high: 10 } as const

/** Time of a call for its project, browser and page, in a warm environment. */
const START_SECONDS = { low: 1.5, expected: 3, high: 6 } as const

/** Bytes a second from S3, through the join, and to S3. */
const JOIN_RATE = { low: 200e6, expected: 60e6, high: 25e6 } as const

/** A render as its calls see it. */
export interface CallShape {
  readonly format: string
  readonly frames: number
  /** Of the picture. */
  readonly megapixels: number
  readonly chunks: number
  readonly memoryMb: number
  /** Seconds of one processor that a frame takes where it was measured, in place of the measured compositions. */
  readonly secondsPerFrame?: number
}

/** How long calls take, in seconds. */
export interface CallSeconds {
  readonly cold: number
  readonly plan: number
  /** The longest chunk. */
  readonly chunk: number
  /** All chunks together. */
  readonly chunks: number
  readonly assemble: number
}

/** Segments of the longest chunk. */
export const segmentsOfLongest = ({ frames, chunks }: Pick<CallShape, 'frames' | 'chunks'>): number =>
  Math.ceil(Math.max(1, Math.ceil(frames / SEGMENT_FRAMES)) / chunks)

const processorsOf = (memoryMb: number, segments: number) =>
  Math.min(memoryMb / PROCESSOR_MB, WORKER_PROCESSORS * Math.min(segments, MOST_WORKERS))

/** How long the calls of a render take. */
export const callSeconds = (shape: CallShape, level: Level): CallSeconds => {
  const { format, frames, megapixels, chunks, memoryMb, secondsPerFrame } = shape
  const eachFrame = secondsPerFrame ?? frameSeconds(format, megapixels, level)
  const processors = processorsOf(memoryMb, segmentsOfLongest(shape))
  const longest = Math.min(
    frames,
    segmentsOfLongest(shape) * SEGMENT_FRAMES,
    Math.ceil(frames / chunks) + SEGMENT_FRAMES,
  )
  const framesTime = (count: number) => (count * eachFrame) / processors / SPEED[level]
  const { segment, result } = frameBytes(format, megapixels, level)
  const joining =
    (frames * joinSeconds(format, megapixels, level)) / Math.min(1, memoryMb / PROCESSOR_MB) / SPEED[level]
  return {
    cold: COLD_SECONDS[level],
    plan: START_SECONDS[level],
    chunk: START_SECONDS[level] + framesTime(longest),
    chunks: chunks * START_SECONDS[level] + framesTime(frames),
    assemble: 1 + (frames * (segment + result)) / 2 / JOIN_RATE[level] + joining,
  }
}
