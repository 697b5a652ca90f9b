import type { Captions } from '../model/cue.ts'
import { cuesOfPassage, cuesOfText, type SpokenWord } from '../model/cues-of-words.ts'
import { type Fields, isFields, type JsonReader, nonEmptyName } from './json-reader.ts'

const wordsOf = (reader: JsonReader, fields: Fields, place: string): SpokenWord[] =>
  reader.list(fields, 'words', place).map(([word, path]) => ({
    text: reader.text(word, word.punctuated_word === undefined ? 'word' : 'punctuated_word', path),
    start: reader.seconds(word, 'start', path),
    end: reader.seconds(word, 'end', path),
    speaker: nonEmptyName(word.speaker),
  }))

/** Reads an answer of Deepgram: its utterances, else the words of its first channel. */
export const readDeepgram = (fields: Fields, reader: JsonReader): Captions => {
  const results = isFields(fields.results) ? fields.results : {}
  const [channel] = reader.list(results, 'channels', 'results')
  const language = channel && nonEmptyName(channel[0].detected_language)
  const languageFact = language === undefined ? {} : { language }
  const utterances = reader.list(results, 'utterances', 'results')
  if (utterances.length > 0)
    return {
      ...languageFact,
      cues: utterances.flatMap(([utterance, place]) => {
        const passage = {
          start: reader.seconds(utterance, 'start', place),
          end: reader.seconds(utterance, 'end', place),
          text: reader.text(utterance, 'transcript', place),
          speaker: nonEmptyName(utterance.speaker),
        }
        return cuesOfPassage(passage, wordsOf(reader, utterance, place))
      }),
    }
  const [best] = channel ? reader.list(channel[0], 'alternatives', channel[1]) : []
  if (!best) return { ...languageFact, cues: [] }
  const [alternative, path] = best
  const text = reader.text(alternative, 'transcript', path)
  const words = wordsOf(reader, alternative, path)
  if (words.length === 0 && text !== '')
    throw reader.broken(`${path}.words`, 'no words with times stand beside the text')
  return { ...languageFact, cues: cuesOfText(text, words) }
}
