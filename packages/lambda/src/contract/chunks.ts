import type { ChunkSettings } from './execution-input.ts'
import { CHUNK_SIZE } from './limits.ts'

/** Number of chunks for so many frames, and the frames that the largest of them would have if frames were divided freely. */
export interface ChunkCount {
  readonly count: number
  readonly size: number
}

/** How many chunks a render has, before its segments are dealt out to them. */
export const countChunks = (
  frames: number,
  { chunkSize, targetChunkFrames, maxParallelChunks }: ChunkSettings,
): ChunkCount => {
  const wanted =
    targetChunkFrames !== undefined && chunkSize === undefined
      ? Math.min(Math.max(Math.ceil(frames / targetChunkFrames), 1), maxParallelChunks)
      : Math.min(maxParallelChunks, Math.ceil(frames / (chunkSize ?? CHUNK_SIZE)))
  const size = Math.ceil(frames / wanted)
  return { count: Math.ceil(frames / size), size }
}

/** The segments of a chunk: runs of nearly equal length. `chunks` is at most `segments`. */
export const segmentsOfChunk = (segments: number, chunks: number, chunk: number): readonly number[] => {
  const first = Math.floor((chunk * segments) / chunks)
  const end = Math.floor(((chunk + 1) * segments) / chunks)
  return Array.from({ length: end - first }, (_, index) => first + index)
}
