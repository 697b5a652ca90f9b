import type { Frame, SegmentMaker } from '@vid/kernel'
import type { KeyedEntry } from './entry.ts'
import { createFrameDigests, digestFrames, type FrameDigests } from './frame-digests.ts'

/**
 * Limit on frames buffered while they equal those of a kept segment; beyond it, they are captured again if one differs.
 */
const MAX_BUFFERED_BYTES = 64 * 2 ** 20

/** The kept segments whose frames are all equal to the captured ones, and all frames to encode without one. */
export interface Comparison {
  readonly equal: readonly KeyedEntry[]
  readonly digests: FrameDigests
  frames(): AsyncIterable<Frame>
}

async function* joinFrames(buffered: readonly Frame[], rest: AsyncIterator<Frame>): AsyncGenerator<Frame> {
  try {
    yield* buffered
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** Captures a segment for as long as its frames equal those of one of the candidates. */
export const captureWhileEqual = async (make: SegmentMaker, candidates: readonly KeyedEntry[]): Promise<Comparison> => {
  const digests = createFrameDigests()
  const rest = digestFrames(make.frames(), digests)
  let buffer: Frame[] | undefined = []
  let bytes = 0
  let equal = candidates
  let count = 0
  // A for-await loop would close the iterator, whose remaining frames are still to be encoded.
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    const frame = next.value
    bytes += frame.repeat ? 0 : frame.data.length
    if (bytes > MAX_BUFFERED_BYTES) buffer = undefined
    const before = buffer?.at(-1)
    buffer?.push({ ...frame, data: frame.repeat && before ? before.data : new Uint8Array(frame.data) })
    const digest = await digests.last()
    equal = equal.filter(({ entry }) => digest !== undefined && entry.frames?.[count] === digest)
    count += 1
    if (equal.length === 0) break
  }
  if (buffer) {
    const buffered = buffer
    return { equal, digests, frames: () => joinFrames(buffered, rest) }
  }
  await rest.return(undefined)
  if (equal.length > 0) return { equal, digests, frames: () => make.frames() }
  const again = createFrameDigests()
  return { equal, digests: again, frames: () => digestFrames(make.frames(), again) }
}
