import type { Frame, SegmentMaker } from '@vid/kernel'
import type { FoundEntry } from './entry.ts'
import { createFrameDigests, type FrameDigests, noteFrames } from './frame-digests.ts'

/** Frames held while they equal those of a kept segment; beyond, they are captured again if it turns out to differ. */
const MOST_HELD_BYTES = 64 * 2 ** 20

/** What came of comparing: the kept segments whose frames are all equal, and all frames to encode if none is. */
export interface Comparison {
  readonly equal: readonly FoundEntry[]
  readonly digests: FrameDigests
  frames(): AsyncIterable<Frame>
}

async function* held(frames: readonly Frame[], rest: AsyncIterator<Frame>): AsyncGenerator<Frame> {
  try {
    yield* frames
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** Captures a segment for as long as its frames equal those of one of the candidates. */
export const compareFrames = async (
  make: SegmentMaker,
  candidates: readonly FoundEntry[],
): Promise<Comparison> => {
  const digests = createFrameDigests()
  const rest = noteFrames(make.frames(), digests)
  let seen: Frame[] | undefined = []
  let bytes = 0
  let equal = candidates
  let count = 0
  // Not a for-await loop, which would end the frames that are still to be encoded.
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    const frame = next.value
    bytes += frame.repeat ? 0 : frame.data.length
    if (bytes > MOST_HELD_BYTES) seen = undefined
    const before = seen?.at(-1)
    seen?.push({ ...frame, data: frame.repeat && before ? before.data : new Uint8Array(frame.data) })
    const own = await digests.last()
    equal = equal.filter(({ entry }) => own !== undefined && entry.frames?.[count] === own)
    count += 1
    if (equal.length === 0) break
  }
  if (seen) {
    const frames = seen
    return { equal, digests, frames: () => held(frames, rest) }
  }
  await rest.return(undefined)
  if (equal.length > 0) return { equal, digests, frames: () => make.frames() }
  const again = createFrameDigests()
  return { equal, digests: again, frames: () => noteFrames(make.frames(), again) }
}
