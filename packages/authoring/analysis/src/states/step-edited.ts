import type { EditReach } from '@vid/core'
import { type FrameRate, firstFrameAt } from '@vid/protocol'
import type { PictureChange } from './step-frames.ts'

/** Frames in which an edit can be seen: from `start` to before `end`. */
export interface EditedRange {
  readonly start: number
  readonly end: number
}

/** The frames in which an edit can be seen, in order and apart from each other; undefined where that is not known. */
export const editedRanges = (
  reach: EditReach,
  { fps, frames }: { readonly fps: FrameRate; readonly frames: number },
): readonly EditedRange[] | undefined => {
  if ('reason' in reach) return undefined
  const ranges = reach.windows
    .map(({ start, end }) => ({ start: firstFrameAt(start, fps), end: Math.min(frames, firstFrameAt(end, fps)) }))
    .filter(({ start, end }) => start < end)
    .sort((one, other) => one.start - other.start)
  const apart: EditedRange[] = []
  for (const range of ranges) {
    const last = apart.at(-1)
    // Ranges with one frame between them would both need it.
    if (last && range.start <= last.end + 1) apart[apart.length - 1] = { ...last, end: Math.max(last.end, range.end) }
    else apart.push(range)
  }
  return apart
}

/** Whether what belongs to a frame is known only after an edit; the frame behind a range is compared with its last. */
export const isEdited = (ranges: readonly EditedRange[], frame: number): boolean =>
  ranges.some(({ start, end }) => start <= frame && frame <= end)

/** The picture of a frame, by the changes of its composition. */
const digestAt = (changes: readonly PictureChange[], frame: number): string | undefined =>
  changes.findLast((change) => change.frame <= frame)?.digest

/** What is stepped after an edit. */
export interface EditedSteps {
  /** Steps through the frames from `start` to before `end`. */
  step(start: number, end: number): AsyncIterable<PictureChange>
  readonly frames: number
  /** The changes before the edit. */
  readonly before: readonly PictureChange[]
  readonly ranges: readonly EditedRange[]
}

/** The changes of a composition after an edit; undefined where the frame before or behind a range is not the one that it was. */
export const stepEdited = async ({
  step,
  frames,
  before,
  ranges,
}: EditedSteps): Promise<readonly PictureChange[] | undefined> => {
  const changes = before.filter(({ frame }) => !isEdited(ranges, frame))
  for (const { start, end } of ranges) {
    const first = Math.max(0, start - 1)
    const stepped: PictureChange[] = []
    for await (const change of step(first, Math.min(frames, end + 1))) stepped.push(change)
    if (start > 0 && stepped[0]?.digest !== digestAt(before, first)) return undefined
    if (end < frames && stepped.at(-1)?.digest !== digestAt(before, end)) return undefined
    changes.push(...stepped.filter(({ frame }) => frame >= start))
  }
  return changes.sort((one, other) => one.frame - other.frame)
}
