import { KNOWN_BEFORE } from '../../contract/raster.ts'

/** What is looked at in a frame, by kind: things of which none is new, gone or in another place while nothing happens. */
export type FrameFacts = Readonly<Record<string, readonly unknown[]>>

/** Frames without a change of its kind before one that counts: a change in each frame is one that goes on. */
const QUIET_FRAMES = KNOWN_BEFORE - 1

/** Finds the frames in which something happens that may be drawn wrongly from then on. */
export interface Happenings {
  /** The frames before `frame` that it must look at first. */
  missing(frame: number): number[]
  /** Looks at the next frame; returns whether a kind of fact changes in it that has not changed for some frames. */
  look(frame: number, facts: FrameFacts): boolean
}

const areSame = (before: readonly unknown[] = [], now: readonly unknown[] = []): boolean =>
  before.length === now.length && before.every((each, index) => each === now[index])

/**
 * Creates the search. Whether something happens in a frame depends on that frame and those shortly before it alone, so that
 * pages that capture different parts of a segment find the same.
 */
export const createHappenings = (): Happenings => {
  let shown = -1
  /** The first frame of those that it has seen in a row. */
  let first = 0
  let before: FrameFacts = {}
  const changed = new Map<string, number>()
  return {
    missing(frame) {
      const from = Math.max(0, frame - KNOWN_BEFORE)
      const next = shown >= from && first <= from ? shown + 1 : from
      return Array.from({ length: Math.max(0, frame - next) }, (_, index) => next + index)
    },
    look(frame, facts) {
      const isNext = frame === shown + 1 && shown >= first
      let happens = false
      if (!isNext) {
        first = frame
        changed.clear()
      } else
        for (const [kind, now] of Object.entries(facts)) {
          if (areSame(before[kind], now)) continue
          happens ||= frame - (changed.get(kind) ?? Number.NEGATIVE_INFINITY) > QUIET_FRAMES
          changed.set(kind, frame)
        }
      shown = frame
      before = facts
      return happens
    },
  }
}
