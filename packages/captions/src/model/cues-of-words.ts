import type { Cue } from './cue.ts'
import { separatorOf } from './scripts.ts'

/** A word as speech programs list it. */
export interface SpokenWord {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly speaker?: string | undefined
  /** What stands before it; left out to follow its script. */
  readonly separator?: string | undefined
}

/** Two lines of 42 characters, the usual limit of subtitles. */
const MAX_CHARACTERS = 84

/** Characters from which a cue may end with a sentence. */
const MIN_SENTENCE = 24

const MAX_SECONDS = 7
const MAX_PAUSE_SECONDS = 1

const SENTENCE_END = /[.!?…。！？]["'”’»)]?$/u

const joined = (text: string, { text: word, separator }: SpokenWord): string =>
  text === '' ? word : text + (separator ?? separatorOf(text, word)) + word

/** Whether a word begins another cue than the words before it. */
const beginsCue = (words: readonly SpokenWord[], text: string, word: SpokenWord): boolean => {
  const first = words[0]
  const last = words.at(-1)
  if (first === undefined || last === undefined) return false
  return (
    word.speaker !== last.speaker ||
    word.start - last.end > MAX_PAUSE_SECONDS ||
    word.end - first.start > MAX_SECONDS ||
    joined(text, word).length > MAX_CHARACTERS ||
    (text.length >= MIN_SENTENCE && SENTENCE_END.test(text))
  )
}

const cueOf = (words: readonly SpokenWord[], text: string): Cue[] => {
  const first = words[0]
  if (first === undefined) return []
  const end = Math.max(...words.map((word) => word.end))
  return [
    {
      start: first.start,
      end,
      text,
      words: words.map((word) => ({ text: word.text, start: word.start, end: word.end })),
      ...(first.speaker !== undefined && { speaker: first.speaker }),
    },
  ]
}

/** Groups words into cues: by speaker, pause, sentence and length. */
export const cuesOfWords = (spoken: readonly SpokenWord[]): Cue[] => {
  const cues: Cue[] = []
  let words: SpokenWord[] = []
  let text = ''
  for (const word of spoken) {
    if (word.text === '') continue
    if (beginsCue(words, text, word)) {
      cues.push(...cueOf(words, text))
      words = []
      text = ''
    }
    text = joined(text, word)
    words.push(word)
  }
  return [...cues, ...cueOf(words, text)]
}

/** The cues of a passage: its own text as one cue if that is short, else its words in groups. */
export const cuesOfPassage = (
  passage: {
    readonly start: number
    readonly end: number
    readonly text: string
    readonly speaker?: string | undefined
  },
  words: readonly SpokenWord[],
): Cue[] => {
  const { start, end, speaker } = passage
  const text = passage.text.trim()
  const isShort = text.length <= MAX_CHARACTERS && end - start <= MAX_SECONDS
  const speakers = new Set(words.map((word) => word.speaker ?? speaker))
  if (words.length > 0 && (!isShort || speakers.size > 1 || text === ''))
    return cuesOfWords(words.map((word) => ({ ...word, speaker: word.speaker ?? speaker })))
  if (text === '') return []
  const name = speaker ?? [...speakers][0]
  return [
    {
      start,
      end,
      text,
      ...(followEachOther(text, words) && {
        words: words.map((word) => ({ text: word.text, start: word.start, end: word.end })),
      }),
      ...(name !== undefined && { speaker: name }),
    },
  ]
}

/** Whether a text contains all words, in their order. */
const followEachOther = (text: string, words: readonly SpokenWord[]): boolean => {
  let offset = 0
  for (const word of words) {
    const index = text.indexOf(word.text, offset)
    if (index < 0) return false
    offset = index + word.text.length
  }
  return words.length > 0
}
