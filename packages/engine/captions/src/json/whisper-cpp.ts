import type { Captions } from '../model/cue.ts'
import { cuesOfPassage, type SpokenWord } from '../model/cues-of-words.ts'
import { type Fields, isFields, type JsonReader, nonEmptyName } from './json-reader.ts'

/** Tokens that are no text, such as `[_BEG_]` and `<|endoftext|>`. */
const SPECIAL = /^(?:\[_.*\]|<\|.*\|>)$/

const MS = 1000

const timesOf = (reader: JsonReader, fields: Fields, place: string) => {
  const { offsets } = fields
  if (!isFields(offsets)) throw reader.broken(`${place}.offsets`, 'an object with "from" and "to" is expected')
  const path = `${place}.offsets`
  return { start: reader.units(offsets, 'from', MS, path), end: reader.units(offsets, 'to', MS, path) }
}

/** Joins the tokens of each word: a token that begins with a space begins a word. */
const wordsOf = (reader: JsonReader, segment: Fields, place: string): SpokenWord[] => {
  const words: { text: string; start: number; end: number }[] = []
  for (const [token, path] of reader.list(segment, 'tokens', place)) {
    const text = reader.text(token, 'text', path)
    if (SPECIAL.test(text) || !isFields(token.offsets)) continue
    // Half of a character, whose other half is the next token.
    if (text.includes('\ufffd')) return []
    const { start, end } = timesOf(reader, token, path)
    const last = words.at(-1)
    if (!last || /^\s/.test(text)) words.push({ text, start, end })
    else {
      last.text += text
      last.end = Math.max(last.end, end)
    }
  }
  return words.map((word) => ({ ...word, text: word.text.trim(), separator: ' ' })).filter(({ text }) => text !== '')
}

/** Reads what whisper.cpp writes with `-oj`, and with `-ojf` also the times of tokens. */
export const readWhisperCpp = (fields: Fields, reader: JsonReader): Captions => {
  const { result } = fields
  const language = isFields(result) ? nonEmptyName(result.language) : undefined
  const cues = reader.list(fields, 'transcription', '').flatMap(([segment, place]) => {
    const passage = {
      ...timesOf(reader, segment, place),
      text: reader.text(segment, 'text', place),
      speaker: nonEmptyName(segment.speaker),
    }
    return cuesOfPassage(passage, wordsOf(reader, segment, place))
  })
  return { cues, ...(language !== undefined && { language }) }
}
