import { FRAME_RATE_RULE, framesIn, readFrameRate } from '@vid/protocol'
import { countChunks } from '../contract/chunks.ts'
import { DEFAULT_FORMAT } from '../contract/formats.ts'
import {
  FUNCTION_MEMORY,
  FUNCTION_SECONDS,
  FUNCTION_STORAGE,
  MAX_PARALLEL_CHUNKS,
  SEGMENT_FRAMES,
} from '../contract/limits.ts'
import { fail } from '../errors.ts'
import { type CallSeconds, callSeconds } from './call-seconds.ts'
import type { Level } from './frame-costs.ts'
import { knownPrices } from './known-prices.ts'
import { type Prices, pricesOf } from './prices.ts'
import { type CallCounts, type CostParts, costOf, countS3Requests, countTransitions, isWide } from './usage.ts'

/** The settings of a render that its cost depends on. */
export interface EstimatedConfig {
  readonly fps?: number | string
  readonly width?: number
  readonly height?: number
  readonly format?: string
  /** Codec of an mp4 or hls video; H.264 if left out. */
  readonly codec?: string
  /** Whether an hls video is published while it is rendered; true if left out. */
  readonly growing?: boolean
  readonly chunkSize?: number
  readonly targetChunkFrames?: number
  readonly maxParallelChunks?: number
}

/** Input of an estimate: the number of frames, or a duration. */
export interface EstimateOptions {
  readonly config: EstimatedConfig
  readonly totalFrames?: number
  readonly durationSeconds?: number
  /** Megapixels of the picture if the config has no width and height; those of 1920 × 1080 if left out. */
  readonly megapixels?: number
  /** Measured CPU seconds per frame of this composition. */
  readonly secondsPerFrame?: number
  readonly region: string
  readonly memoryMb?: number
  readonly storageMb?: number
  readonly prices?: Prices
}

/** The cost and the duration of a render under one assumption. */
export interface EstimatedCost {
  readonly usd: number
  readonly byPart: CostParts
  /** From start to end, without throttling. */
  readonly seconds: number
  /** Billed time of the function. */
  readonly billedSeconds: number
}

/** Estimated cost of a render, without failed attempts and reused segments. */
export interface CostEstimate {
  /** For a composition that hardly changes, on fast processors and in warm environments. */
  readonly low: EstimatedCost
  readonly expected: EstimatedCost
  /** For a composition that changes everywhere in each frame, on slow processors and in new environments. */
  readonly high: EstimatedCost
  /** The cost of `expected`. */
  readonly usd: number
  readonly seconds: number
  readonly frames: number
  readonly chunks: number
  /** Day on which the prices were valid. */
  readonly pricesDate: string
  /** Whether a chunk or the join may exceed Lambda's timeout. */
  readonly mayTakeTooLong: boolean
}

const framesOf = ({ config, totalFrames, durationSeconds }: EstimateOptions): number => {
  const fps = readFrameRate(config.fps ?? 30)
  if (!fps)
    throw fail('VID_LAMBDA_CONFIG', {
      field: 'fps',
      problem: `it must be ${FRAME_RATE_RULE}; got ${JSON.stringify(config.fps)}`,
    })
  const frames =
    totalFrames ?? (durationSeconds === undefined ? Number.NaN : Math.round(framesIn(durationSeconds, fps)))
  if (Number.isSafeInteger(frames) && frames > 0) return frames
  const field = totalFrames === undefined ? 'durationSeconds' : 'totalFrames'
  const problem = `an estimate needs one frame or more; got ${totalFrames ?? durationSeconds}`
  throw fail('VID_LAMBDA_CONFIG', { field, problem })
}

const callsAreCold = { low: false, expected: true, high: true } as const

/** Every chunk may start an environment, as Plan does; Assemble reuses one. */
const billedOf = (
  seconds: CallSeconds,
  { segment, publish }: Pick<CallCounts, 'segment' | 'publish'>,
  isCold: boolean,
) => {
  const { cold, plan, chunk, chunks, assemble } = seconds
  // A call that publishes lasts as long as the longest chunk, and then does about what Assemble does.
  const publishing = publish * (chunk + assemble)
  return plan + chunks + publishing + assemble + (isCold ? cold * (segment + publish) : 0)
}

/** Files of hls besides its media segments: playlists, heads, and pictures to scrub with. */
const OTHER_FILES = 10

/** Approximate number of files of a result that is a folder; 0 for a file. */
const filesOf = (format: string, frames: number): number => {
  if (format === 'png-sequence') return frames
  // Each media segment has pictures and sound.
  return format === 'hls' ? 2 * Math.ceil(frames / SEGMENT_FRAMES) + OTHER_FILES : 0
}

interface EstimatedWork {
  readonly format: string
  readonly frames: number
  readonly chunks: number
  /** Calls that publish the video while it is rendered. */
  readonly publish: number
}

const countsOf = ({ format, frames, chunks, publish }: EstimatedWork): CallCounts => ({
  executions: 1,
  plan: 1,
  segment: chunks,
  assemble: 1,
  abandon: 0,
  planned: 1,
  publish,
  files: filesOf(format, frames),
  wideChunks: isWide(chunks + publish) ? chunks + publish : 0,
  segments: Math.ceil(frames / SEGMENT_FRAMES),
})

/** Estimates the cost and the duration of a render on AWS. */
export const estimateRenderCost = (options: EstimateOptions): CostEstimate => {
  const { config, region, prices = knownPrices, secondsPerFrame } = options
  const { memoryMb = FUNCTION_MEMORY, storageMb = FUNCTION_STORAGE } = options
  const regionPrices = pricesOf(prices, region)
  const { format = DEFAULT_FORMAT, codec, growing = true, width, height, ...chunkConfig } = config
  const { maxParallelChunks = MAX_PARALLEL_CHUNKS, ...chunkSettings } = chunkConfig
  const frames = framesOf(options)
  const count = countChunks(frames, { ...chunkSettings, maxParallelChunks })
  const publish = format === 'hls' && growing ? 1 : 0
  const megapixels = width && height ? (width * height) / 1e6 : (options.megapixels ?? 2.0736)
  const shape = {
    format,
    ...(codec !== undefined && { codec }),
    frames,
    megapixels,
    chunks: count,
    memoryMb,
    ...(secondsPerFrame && { secondsPerFrame }),
  }
  const counts = countsOf({ format, frames, chunks: count, publish })
  const { writes, reads } = countS3Requests(counts)
  const estimate = (level: Level): EstimatedCost => {
    const seconds = callSeconds(shape, level)
    const isCold = callsAreCold[level]
    const billedSeconds = billedOf(seconds, counts, isCold)
    const usage = {
      calls: count + publish + 2,
      billedSeconds,
      transitions: countTransitions(counts),
      s3Writes: writes,
      s3Reads: reads,
    }
    const { plan, chunk, assemble, cold } = seconds
    return {
      ...costOf(usage, { memoryMb, storageMb }, regionPrices),
      seconds: plan + chunk + assemble + (isCold ? 2 * cold : 0),
      billedSeconds,
    }
  }
  const low = estimate('low')
  const expected = estimate('expected')
  const high = estimate('high')
  const longest = callSeconds(shape, 'high')
  return {
    low,
    expected,
    high,
    usd: expected.usd,
    seconds: expected.seconds,
    frames,
    chunks: count,
    pricesDate: prices.date,
    mayTakeTooLong: Math.max(longest.chunk, longest.assemble) > FUNCTION_SECONDS,
  }
}
