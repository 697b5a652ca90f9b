import type { Captions } from '../model/cue.ts'
import { cuesOfPassage, cuesOfWords, type SpokenWord } from '../model/cues-of-words.ts'
import { type Fields, type JsonReader, nameOf } from './json-reader.ts'

/** The words that have a time; alignment leaves it out for some, such as numbers. */
const wordsOf = (reader: JsonReader, fields: Fields, place: string): SpokenWord[] =>
  reader.list(fields, 'words', place).flatMap(([word, path]) => {
    if (word.start === undefined || word.end === undefined) return []
    const written = reader.text(word, typeof word.word === 'string' ? 'word' : 'text', path)
    return [
      {
        text: written.trim(),
        start: reader.seconds(word, 'start', path),
        end: reader.seconds(word, 'end', path),
        speaker: nameOf(word.speaker),
        // Words of whisper begin with the space before them.
        ...(/^\s/.test(written) && { separator: ' ' }),
      },
    ]
  })

/** Reads what whisper, faster-whisper, WhisperX and whisper-timestamped write: segments, with words or without. */
export const readWhisper = (fields: Fields, reader: JsonReader): Captions => {
  const language = nameOf(fields.language)
  const segments = reader.list(fields, 'segments', '')
  const cues =
    segments.length === 0
      ? cuesOfWords(wordsOf(reader, fields, ''))
      : segments.flatMap(([segment, place]) => {
          const passage = {
            start: reader.seconds(segment, 'start', place),
            end: reader.seconds(segment, 'end', place),
            text: reader.text(segment, 'text', place),
            speaker: nameOf(segment.speaker),
          }
          return cuesOfPassage(passage, wordsOf(reader, segment, place))
        })
  return { cues, ...(language !== undefined && { language }) }
}
