import { FUNCTION_SECONDS, MAX_CHUNKS } from '../contract/limits.ts'
import { callSeconds } from './call-seconds.ts'
import { estimatedFrameBytes, isMeasured } from './frame-costs.ts'

/** The quantities of a render that limits depend on. */
export interface LimitedRender {
  readonly frames: number
  readonly width: number
  readonly height: number
  readonly format: string
  readonly chunks: number
  readonly memoryMb: number
  readonly storageMb: number
}

/** Why a render cannot run on Lambda, with the responsible field. */
export interface LimitProblem {
  readonly field: 'maxParallelChunks' | 'width' | 'format'
  readonly problem: string
}

/** MB of /tmp for the browser, the project and the caches of a call. */
const OTHER_STORAGE_MB = 700

/** Minimum memory in MB for one browser and one encoder: half of the measurement for mp4. */
const leastMemoryMb = (megapixels: number) => 200 + 110 * megapixels

const minutes = (seconds: number) => `${Math.round(seconds / 60)} minutes`

/**
 * Limits of Lambda and of this workflow that a render exceeds even if its picture hardly changes. A render without such
 * problems may still hit a limit; `estimateRenderCost` reports that.
 */
export const limitProblems = (render: LimitedRender): readonly LimitProblem[] => {
  const { frames, width, height, format, chunks, memoryMb, storageMb } = render
  const megapixels = (width * height) / 1e6
  const problems: LimitProblem[] = []
  const add = (field: LimitProblem['field'], problem: string) => problems.push({ field, problem })
  if (chunks > MAX_CHUNKS) add('maxParallelChunks', `a render has at most ${MAX_CHUNKS} chunks; this one has ${chunks}`)
  const memory = Math.round(leastMemoryMb(megapixels))
  if (memory > memoryMb)
    add(
      'width',
      `a picture of ${width} × ${height} needs ${memory} MB of memory or more; the function has ${memoryMb} MB`,
    )
  if (!isMeasured(format)) return problems
  const { chunk, assemble } = callSeconds({ ...render, megapixels }, 'low')
  if (chunk > FUNCTION_SECONDS)
    add(
      'maxParallelChunks',
      `each of the ${chunks} chunks takes ${minutes(chunk)} or more, and Lambda ends a call after ${minutes(FUNCTION_SECONDS)}: more and smaller chunks are needed`,
    )
  if (assemble > FUNCTION_SECONDS)
    add(
      'format',
      `joining ${frames} frames of ${width} × ${height} as ${format} takes ${minutes(assemble)} or more, and Lambda ends a call after ${minutes(FUNCTION_SECONDS)}`,
    )
  const bytes = estimatedFrameBytes(format, megapixels, 'low')
  // Segments that are folders exist both packed and unpacked.
  const copies = format === 'png-sequence' ? 2 : 1
  const storage = Math.round((frames * (copies * bytes.segment + bytes.result)) / 2 ** 20) + OTHER_STORAGE_MB
  if (storage > storageMb)
    add(
      'format',
      `joining ${frames} frames as ${format} needs ${storage} MB of /tmp or more; the function has ${storageMb} MB`,
    )
  return problems
}
