/** The edit distance: characters to add, remove or change to turn one word into the other. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, character] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries())
      next.push(
        Math.min((row[j] ?? 0) + (character === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      )
    row = next
  }
  return row[to.length] ?? 0
}

/** The known word closest to a mistyped one, if any is close enough. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const ranked = known
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  const best = word.length > 2 ? ranked[0] : undefined
  return best && best.edits <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined
}
