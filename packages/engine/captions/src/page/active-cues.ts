import type { Cue } from '../model/cue.ts'

/** Times that differ by less are equal, so that a frame at 0.3 shows what starts at 3 / 10. */
const EPSILON = 1e-6

/** Whether a time is in a half-open interval. */
export const isDuring = ({ start, end }: { readonly start: number; readonly end: number }, seconds: number): boolean =>
  seconds >= start - EPSILON && seconds < end - EPSILON

/** Finds the cues at a time, by their order; the cues must be ordered by start. */
export const createCueIndex = (cues: readonly Cue[]): ((seconds: number) => readonly Cue[]) => {
  const latestEnds: number[] = []
  for (const { end } of cues) latestEnds.push(Math.max(latestEnds.at(-1) ?? 0, end))
  return (seconds) => {
    let low = 0
    let high = cues.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cues[middle]?.start ?? 0) <= seconds + EPSILON) low = middle + 1
      else high = middle
    }
    const active: Cue[] = []
    for (let index = low - 1; index >= 0 && (latestEnds[index] ?? 0) > seconds; index--) {
      const cue = cues[index]
      if (cue && isDuring(cue, seconds)) active.unshift(cue)
    }
    return active
  }
}
