/** A stretch of time that is marked. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/** Puts marks that overlap beside each other in at most `count` lanes; those that fit nowhere go into the last one. */
export const markLanes = (marks: readonly Stretch[], count: number): readonly number[] => {
  const ends: number[] = Array.from({ length: count }, () => 0)
  return marks.map(({ from, to }) => {
    const free = ends.findIndex((end) => end <= from + 1e-6)
    const lane = free < 0 ? count - 1 : free
    ends[lane] = Math.max(ends[lane] ?? 0, to)
    return lane
  })
}
