/** The edit distance: characters to add, remove, change or swap with the next to turn one word into the other. */
const distance = (from: string, to: string): number => {
  let before = [] as number[]
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j += 1) {
      const changed = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
      const isSwapped = i > 0 && j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j]
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : changed
      next.push(Math.min(changed, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    ;[before, row] = [row, next]
  }
  return row[to.length] ?? 0
}

/** The known word closest to a mistyped one, if any is close enough. */
export const nearest = (word: string, names: readonly string[]): string | undefined => {
  const ranked = names
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  const best = word.length > 2 ? ranked[0] : undefined
  return best && best.edits <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined
}

/** The beginning of a hint about a mistyped word: a question with the known word closest to it, or nothing. */
export const didYouMean = (word: string, names: readonly string[]): string => {
  const near = nearest(word, names)
  return near === undefined ? '' : `Did you mean "${near}"? `
}
