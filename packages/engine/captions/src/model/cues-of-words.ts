import type { Cue } from './cue.ts'
import { type HeardWord, type SpokenWord, withTimes, wordsOfText } from './heard-words.ts'
import { separatorOf } from './scripts.ts'

export type { HeardWord, SpokenWord }

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

/** The time from the first word with a time to the last one. */
const timeOf = (words: readonly HeardWord[]) => ({
  start: words.find(({ start }) => start !== undefined)?.start ?? 0,
  end: words.findLast(({ end }) => end !== undefined)?.end ?? 0,
})

/** Groups words into cues: by speaker, pause, sentence and length. */
export const cuesOfWords = (heard: readonly HeardWord[], passage = timeOf(heard)): Cue[] => {
  const cues: Cue[] = []
  let words: SpokenWord[] = []
  let text = ''
  for (const word of withTimes(
    heard.filter((other) => other.text !== ''),
    passage,
  )) {
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

/** Groups the words of a text into cues; where there is no text, the words are all there is. */
export const cuesOfText = (text: string, heard: readonly HeardWord[]): Cue[] =>
  cuesOfWords(text.trim() === '' ? heard : wordsOfText(text.trim(), heard))

/** The cues of a passage: its own text as one cue if that is short, else its words in groups. */
export const cuesOfPassage = (
  passage: {
    readonly start: number
    readonly end: number
    readonly text: string
    readonly speaker?: string | undefined
  },
  heard: readonly HeardWord[],
): Cue[] => {
  const { start, end, speaker } = passage
  const text = passage.text.trim()
  const isShort = text.length <= MAX_CHARACTERS && end - start <= MAX_SECONDS
  const named = heard.filter((word) => word.start !== undefined || word.speaker !== undefined)
  const speakers = new Set(named.map((word) => word.speaker ?? speaker))
  if (heard.length > 0 && (!isShort || speakers.size > 1 || text === '')) {
    const [first] = speakers
    const words = text === '' ? heard : wordsOfText(text, heard)
    const timed = withTimes(words, { start, end }).map((word) => ({
      ...word,
      speaker: word.speaker ?? speaker ?? first,
    }))
    return cuesOfWords(timed)
  }
  if (text === '') return []
  const name = speaker ?? [...speakers][0]
  const hasWords = followEachOther(text, heard)
  return [
    {
      start,
      end,
      text,
      ...(hasWords && {
        words: withTimes(wordsOfText(text, heard), passage).map((word) => ({
          text: word.text,
          start: word.start,
          end: word.end,
        })),
      }),
      ...(name !== undefined && { speaker: name }),
    },
  ]
}

/** Whether a text contains all words, in their order. */
const followEachOther = (text: string, words: readonly HeardWord[]): boolean => {
  let offset = 0
  for (const word of words) {
    const index = text.indexOf(word.text, offset)
    if (index < 0) return false
    offset = index + word.text.length
  }
  return words.length > 0
}
