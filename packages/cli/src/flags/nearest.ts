/** How many letters must be added, removed or changed to make one word the other. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries())
      next.push(
        Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      )
    row = next
  }
  return row[to.length] ?? 0
}

/** The known word that a mistyped one was most likely meant to be, if any is close. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const ranked = known
    .map((candidate) => ({ candidate, letters: distance(word, candidate) }))
    .sort((a, b) => a.letters - b.letters)
  const best = word.length > 2 ? ranked[0] : undefined
  return best && best.letters <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined
}
