import type { TimedWord } from '@vid/kernel'

/** The characters of a text with their times in seconds, as ElevenLabs and its relatives list them. */
export interface Alignment {
  readonly characters: readonly string[]
  readonly character_start_times_seconds: readonly number[]
  readonly character_end_times_seconds: readonly number[]
}

/** The words of an alignment: what stands between spaces, from its first character to its last. */
export const timedWords = (alignment: Alignment): TimedWord[] => {
  const { characters, character_start_times_seconds: starts, character_end_times_seconds: ends } = alignment
  const words: TimedWord[] = []
  let isInside = false
  for (const [index, character] of characters.entries()) {
    if (character.trim() === '') {
      isInside = false
      continue
    }
    const start = starts[index] ?? 0
    const end = ends[index] ?? start
    const last = words.at(-1)
    if (isInside && last) words[words.length - 1] = { ...last, text: last.text + character, end }
    else words.push({ text: character, start, end })
    isInside = true
  }
  return words
}
