import type { Captions } from '../model/cue.ts'
import { cuesOfPassage, cuesOfText, type HeardWord } from '../model/cues-of-words.ts'
import { type Fields, type JsonReader, nonEmptyName } from './json-reader.ts'

/** The words; alignment finds no time for some, such as numbers. */
const wordsOf = (reader: JsonReader, fields: Fields, place: string): HeardWord[] =>
  reader.list(fields, 'words', place).map(([word, path]) => {
    const written = reader.text(word, typeof word.word === 'string' ? 'word' : 'text', path)
    const isTimed = (word.start ?? null) !== null && (word.end ?? null) !== null
    return {
      text: written.trim(),
      ...(isTimed && { start: reader.seconds(word, 'start', path), end: reader.seconds(word, 'end', path) }),
      speaker: nonEmptyName(word.speaker),
      // Words of whisper begin with the space before them.
      ...(/^\s/.test(written) && { separator: ' ' }),
    }
  })

/** Reads what whisper, faster-whisper, WhisperX and whisper-timestamped write: segments, with words or without. */
export const readWhisper = (fields: Fields, reader: JsonReader): Captions => {
  const language = nonEmptyName(fields.language)
  const segments = reader.list(fields, 'segments', '')
  const cues =
    segments.length === 0
      ? cuesOfText(reader.text(fields, 'text', ''), wordsOf(reader, fields, ''))
      : segments.flatMap(([segment, place]) => {
          const passage = {
            start: reader.seconds(segment, 'start', place),
            end: reader.seconds(segment, 'end', place),
            text: reader.text(segment, 'text', place),
            speaker: nonEmptyName(segment.speaker),
          }
          return cuesOfPassage(passage, wordsOf(reader, segment, place))
        })
  return { cues, ...(language !== undefined && { language }) }
}
