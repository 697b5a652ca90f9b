import { SEGMENT_FRAMES } from '../contract/limits.ts'
import { estimatedFrameBytes, frameSeconds, joinSeconds, type Level } from './frame-costs.ts'

/** Memory in MB for which Lambda provides one processor. */
const PROCESSOR_MB = 1769

/** Processors that one worker keeps busy: a browser and an encoder, which wait for each other. */
const WORKER_PROCESSORS = 1.5

const MOST_WORKERS = 8

/**
 * Speed of a Lambda processor relative to the one on which frames were measured: an assumption, until it is measured
 * there.
 */
const SPEED = { low: 1.2, expected: 0.8, high: 0.5 } as const

/** Seconds until a new environment takes its first call. Lambda ends a start after 10 seconds. */
const COLD_SECONDS = { low: 1, expected: 4, high: 10 } as const

/** Seconds that a call in a warm environment needs for its project, browser and page. */
const START_SECONDS = { low: 1.5, expected: 3, high: 6 } as const

/** Bytes per second from S3, through the join, and to S3. */
const JOIN_RATE = { low: 200e6, expected: 60e6, high: 25e6 } as const

/** The quantities of a render that determine the duration of its calls. */
export interface CallShape {
  readonly format: string
  /** Codec of an mp4 or hls video; H.264 if left out. */
  readonly codec?: string
  readonly frames: number
  /** Megapixels of the picture. */
  readonly megapixels: number
  readonly chunks: number
  readonly memoryMb: number
  /** Measured processor seconds per frame, in place of those of the measured compositions. */
  readonly secondsPerFrame?: number
}

/** Durations of calls, in seconds. */
export interface CallSeconds {
  readonly cold: number
  readonly plan: number
  /** The longest chunk. */
  readonly chunk: number
  /** All chunks together. */
  readonly chunks: number
  readonly assemble: number
}

/** Number of segments in the longest chunk. */
export const segmentsOfLongest = ({ frames, chunks }: Pick<CallShape, 'frames' | 'chunks'>): number =>
  Math.ceil(Math.max(1, Math.ceil(frames / SEGMENT_FRAMES)) / chunks)

const processorsOf = (memoryMb: number, segments: number) =>
  Math.min(memoryMb / PROCESSOR_MB, WORKER_PROCESSORS * Math.min(segments, MOST_WORKERS))

/** Estimates the durations of a render's calls. */
export const callSeconds = (shape: CallShape, level: Level): CallSeconds => {
  const { format, codec, frames, megapixels, chunks, memoryMb, secondsPerFrame } = shape
  const eachFrame = secondsPerFrame ?? frameSeconds(format, megapixels, level, codec)
  const processors = processorsOf(memoryMb, segmentsOfLongest(shape))
  const longest = Math.min(
    frames,
    segmentsOfLongest(shape) * SEGMENT_FRAMES,
    Math.ceil(frames / chunks) + SEGMENT_FRAMES,
  )
  const framesTime = (count: number) => (count * eachFrame) / processors / SPEED[level]
  const { segment, result } = estimatedFrameBytes(format, megapixels, level)
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
