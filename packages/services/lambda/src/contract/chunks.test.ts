import { expect, test } from 'vitest'
import { countChunks, segmentsOfChunk, segmentsOfChunks } from './chunks.ts'
import { CHUNK_SIZE, SEGMENT_FRAMES } from './limits.ts'

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
const FRAMES = [...Array.from({ length: 130 }, (_, index) => index + 1), 240, 241, 250, 600, 1799, 5400]
const SIZES = [undefined, 1, 2, 7, 24, 30, 119, 120, 121, 240, 1000]
const PARALLEL = [1, 2, 3, 13, 16, 40, 41, 1000]

const sizesOf = (frames: number, settings: Parameters<typeof countChunks>[1], most: number) => {
  const segments = segmentsOfChunks(frames, settings, most)
  const count = countChunks(frames, settings)
  let next = 0
  for (const [index, { start, frames: length, ...rest }] of segments.entries()) {
    if (rest.index !== index || start !== next || length < 1 || length > most) return [-1]
    next += length
  }
  if (next !== frames) return [-1]
  return Array.from({ length: count }, (_, chunk) =>
    segmentsOfChunk(segments.length, count, chunk).reduce((sum, index) => sum + (segments[index]?.frames ?? 0), 0),
  )
}

test('there are exactly as many chunks as the settings ask for, and their sizes differ by one frame at most', () => {
  let cases = 0
  const wrong: string[] = []
  for (const frames of FRAMES)
    for (const maxParallelChunks of PARALLEL)
      for (const size of SIZES)
        for (const [settings, expected] of [
          [{ chunkSize: size }, Math.min(maxParallelChunks, Math.ceil(frames / (size ?? CHUNK_SIZE)))],
          [{ targetChunkFrames: size }, clamp(Math.ceil(frames / (size ?? CHUNK_SIZE)), 1, maxParallelChunks)],
        ] as const)
          for (const most of [SEGMENT_FRAMES, 7]) {
            cases += 1
            const sizes = sizesOf(frames, { ...settings, maxParallelChunks } as never, most)
            const isEven = Math.max(...sizes) - Math.min(...sizes) <= 1 && Math.min(...sizes) > 0
            if (sizes.length !== expected || !isEven)
              wrong.push(
                `${frames} ${JSON.stringify(settings)} ${maxParallelChunks} ${most}: ${sizes.length}, ${expected}`,
              )
          }
  expect(cases).toBeGreaterThan(8512)
  expect(wrong).toEqual([])
}, 120_000)

test('25 frames in chunks of one, 16 at once, are 16 chunks of one or two frames', () => {
  const sizes = sizesOf(25, { chunkSize: 1, maxParallelChunks: 16 }, SEGMENT_FRAMES)
  expect(sizes).toHaveLength(16)
  expect(new Set(sizes)).toEqual(new Set([1, 2]))
})
