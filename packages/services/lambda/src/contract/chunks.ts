import { spreadFrames } from '@vid/kernel'
import type { Segment } from '@vid/protocol'
import type { ChunkSettings } from './execution-input.ts'
import { CHUNK_SIZE } from './limits.ts'

/** Number of chunks for this many frames; their sizes differ by at most one frame. */
export const countChunks = (
  frames: number,
  { chunkSize, targetChunkFrames, maxParallelChunks }: ChunkSettings,
): number => {
  const count =
    targetChunkFrames !== undefined && chunkSize === undefined
      ? Math.max(Math.ceil(frames / targetChunkFrames), 1)
      : Math.ceil(frames / (chunkSize ?? CHUNK_SIZE))
  return Math.min(count, maxParallelChunks, frames)
}

/** Divides the frames into segments of at most `most` frames, the same number in each chunk. */
export const segmentsOfChunks = (frames: number, settings: ChunkSettings, most: number): Segment[] => {
  const count = countChunks(frames, settings)
  const perChunk = Math.ceil(Math.ceil(frames / count) / most)
  return spreadFrames(frames, Math.min(count * perChunk, frames))
}

/** The segments of a chunk, distributed as the frames are. `chunks` is at most `segments`. */
export const segmentsOfChunk = (segments: number, chunks: number, chunk: number): readonly number[] => {
  const first = Math.floor((chunk * segments) / chunks)
  const end = Math.floor(((chunk + 1) * segments) / chunks)
  return Array.from({ length: end - first }, (_, index) => first + index)
}
