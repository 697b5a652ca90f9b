/** How a sequence is cut into parts; `cost` and `fits` get the first index of a part and the one after its last. */
export interface PartitionRules {
  readonly length: number
  fits(start: number, end: number): boolean
  cost(start: number, end: number): number
}

/** Ends of the fewest parts that fit, the cheapest of these; a part that does not fit alone is a part of one. */
export const partition = ({ length, fits, cost }: PartitionRules): number[] => {
  // For each end: the fewest parts, their cost, and where the last of them starts.
  const best: { parts: number; cost: number; start: number }[] = [{ parts: 0, cost: 0, start: 0 }]
  for (let end = 1; end <= length; end++) {
    let choice = { parts: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY, start: end - 1 }
    for (let start = end - 1; start >= 0 && (start === end - 1 || fits(start, end)); start--) {
      const before = best[start]
      if (before === undefined) break
      const candidate = { parts: before.parts + 1, cost: before.cost + cost(start, end), start }
      const isBetter =
        candidate.parts < choice.parts || (candidate.parts === choice.parts && candidate.cost < choice.cost)
      if (isBetter) choice = candidate
    }
    best.push(choice)
  }
  const ends: number[] = []
  for (let end = length; end > 0; end = best[end]?.start ?? 0) ends.unshift(end)
  return ends
}
