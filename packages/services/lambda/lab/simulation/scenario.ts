import { countChunks } from '../../src/contract/chunks.ts'
import { FUNCTION_MEMORY, FUNCTION_STORAGE, MAX_PARALLEL_CHUNKS } from '../../src/contract/limits.ts'
import { callSeconds, segmentsOfLongest } from '../../src/cost/call-seconds.ts'
import type { Level } from '../../src/cost/frame-costs.ts'
import { type LimitProblem, limitProblems } from '../../src/cost/limit-problems.ts'
import type { MeasuredCalls } from './measured-calls.ts'
import type { Workload } from './workload.ts'

/** Many renders that are alike. */
export interface Scenario {
  readonly renders: number
  readonly durationSeconds: number
  readonly fps: number
  readonly format: string
  readonly width: number
  readonly height: number
  readonly level: Level
  readonly chunkSize?: number
  readonly targetChunkFrames?: number
  readonly maxParallelChunks?: number
  readonly memoryMb?: number
  readonly storageMb?: number
  /** Times of real calls, in place of the measured compositions. */
  readonly measured?: MeasuredCalls
  readonly maxRenders?: number
  readonly startsPerSecond?: number
}

/** How much the times of like calls vary: one in twenty takes more than 1.35 times the median, or less than 0.74. */
const SPREAD = 0.15

/** Requests a second that a client with 50 connections makes. */
const STARTS_PER_SECOND = 200

/** The work of a scenario, or why it is refused before it starts. */
export const workloadOf = (
  scenario: Scenario,
): { readonly workload: Workload } | { readonly problems: readonly LimitProblem[] } => {
  const { durationSeconds, fps, format, width, height, level, measured, renders, maxRenders } = scenario
  const { memoryMb = FUNCTION_MEMORY, storageMb = FUNCTION_STORAGE } = scenario
  const { maxParallelChunks = MAX_PARALLEL_CHUNKS, startsPerSecond = STARTS_PER_SECOND } = scenario
  const { chunkSize, targetChunkFrames } = scenario
  const frames = Math.round(durationSeconds * fps)
  const chunks = countChunks(frames, {
    maxParallelChunks,
    ...(chunkSize !== undefined && { chunkSize }),
    ...(targetChunkFrames !== undefined && { targetChunkFrames }),
  })
  const problems = limitProblems({ frames, width, height, format, chunks, memoryMb, storageMb })
  if (problems.length > 0) return { problems }
  const seconds = callSeconds({ format, frames, megapixels: (width * height) / 1e6, chunks, memoryMb }, level)
  const chunkSeconds = measured
    ? measured.startSeconds + measured.secondsPerFrame * Math.ceil(frames / chunks)
    : seconds.chunks / chunks
  return {
    workload: {
      renders,
      chunks,
      segmentsPerChunk: segmentsOfLongest({ frames, chunks }),
      chunkSeconds,
      planSeconds: measured?.planSeconds ?? seconds.plan,
      assembleSeconds: measured?.assembleSeconds ?? seconds.assemble,
      coldSeconds: measured?.coldSeconds ?? seconds.cold,
      spread: SPREAD,
      startsPerSecond,
      resultFiles: format === 'png-sequence' ? frames : 0,
      ...(maxRenders !== undefined && { maxRenders }),
    },
  }
}
