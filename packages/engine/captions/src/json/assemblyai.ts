import type { Captions } from '../model/cue.ts'
import { cuesOfPassage, cuesOfText, type SpokenWord } from '../model/cues-of-words.ts'
import { type Fields, type JsonReader, nonEmptyName } from './json-reader.ts'

const MS = 1000

const wordsOf = (reader: JsonReader, fields: Fields, place: string): SpokenWord[] =>
  reader.list(fields, 'words', place).map(([word, path]) => ({
    text: reader.text(word, 'text', path),
    start: reader.units(word, 'start', MS, path),
    end: reader.units(word, 'end', MS, path),
    speaker: nonEmptyName(word.speaker),
  }))

/** The words of a whole transcript; a text without any has no times. */
const heardIn = (reader: JsonReader, fields: Fields): SpokenWord[] => {
  const words = wordsOf(reader, fields, '')
  if (words.length === 0 && reader.text(fields, 'text', '') !== '')
    throw reader.broken('words', 'no words with times stand beside the text')
  return words
}

/** Reads a transcript of AssemblyAI: its utterances, else its words; times are milliseconds. */
export const readAssemblyAi = (fields: Fields, reader: JsonReader): Captions => {
  const language = nonEmptyName(fields.language_code)?.replace('_', '-')
  const utterances = reader.list(fields, 'utterances', '')
  const cues =
    utterances.length === 0
      ? cuesOfText(reader.text(fields, 'text', ''), heardIn(reader, fields))
      : utterances.flatMap(([utterance, place]) => {
          const passage = {
            start: reader.units(utterance, 'start', MS, place),
            end: reader.units(utterance, 'end', MS, place),
            text: reader.text(utterance, 'text', place),
            speaker: nonEmptyName(utterance.speaker),
          }
          return cuesOfPassage(passage, wordsOf(reader, utterance, place))
        })
  return { cues, ...(language !== undefined && { language }) }
}
