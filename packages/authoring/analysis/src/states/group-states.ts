import type { CompositionState, CompositionStates, Moment } from './composition-states.ts'
import type { PictureChange } from './step-frames.ts'

/** Fewer equal frames than this are part of a movement: an animation on every second frame moves. */
const MIN_STILL = 3

interface Run {
  readonly start: number
  readonly end: number
  readonly isMoving: boolean
}

/** Runs of equal frames, and the moving ones between them. */
const runsOf = (changes: readonly PictureChange[], frames: number): Run[] => {
  const runs: Run[] = []
  let movingFrom: number | undefined
  const endMoving = (end: number) => {
    if (movingFrom !== undefined && movingFrom < end) runs.push({ start: movingFrom, end, isMoving: true })
    movingFrom = undefined
  }
  for (const [index, { frame }] of changes.entries()) {
    const end = changes[index + 1]?.frame ?? frames
    const isStill = end - frame >= MIN_STILL || (frame === 0 && end === frames)
    if (!isStill) {
      movingFrom ??= frame
      continue
    }
    endMoving(frame)
    runs.push({ start: frame, end, isMoving: false })
  }
  endMoving(frames)
  return runs
}

/** The parts of a moving run between the moments in it; a part has at least as many frames as a still run. */
const split = (run: Run, moments: readonly number[]): Run[] => {
  if (!run.isMoving) return [run]
  const parts: Run[] = []
  let start = run.start
  for (const frame of moments)
    if (frame - start >= MIN_STILL && run.end - frame >= MIN_STILL) {
      parts.push({ ...run, start, end: frame })
      start = frame
    }
  return [...parts, { ...run, start }]
}

/** The states of a composition that changes in these frames; `moments` are in order. */
export const groupStates = (
  changes: readonly PictureChange[],
  moments: readonly Moment[],
  frames: number,
): CompositionStates['states'] => {
  const splits = moments.map(({ frame }) => frame)
  const digests = new Map<string, number>()
  let index = 0
  /** The picture of a frame that is not before those asked for earlier. */
  const digestOf = (frame: number) => {
    while ((changes[index + 1]?.frame ?? frames) <= frame) index += 1
    return changes[index]?.digest ?? ''
  }
  return runsOf(changes, frames)
    .flatMap((run) => split(run, splits))
    .map((run, position): CompositionState => {
      const frame = run.isMoving ? Math.floor((run.start + run.end) / 2) : run.start
      const digest = digestOf(frame)
      const sameAs = digests.get(digest)
      if (sameAs === undefined) digests.set(digest, position)
      return { ...run, frame, ...(sameAs !== undefined && { sameAs }) }
    })
}
