import type { Captions } from '../model/cue.ts'
import { cuesOfWords, type SpokenWord } from '../model/cues-of-words.ts'
import { type Fields, type JsonReader, nonEmptyName } from './json-reader.ts'

/** Reads an answer of the speech-to-text of ElevenLabs, which lists the spaces between words and sounds such as laughter. */
export const readElevenLabs = (fields: Fields, reader: JsonReader): Captions => {
  const language = nonEmptyName(fields.language_code)
  const words: SpokenWord[] = []
  let separator = ''
  for (const [word, place] of reader.list(fields, 'words', '')) {
    const text = reader.text(word, 'text', place)
    if (word.type === 'spacing') {
      separator += text
      continue
    }
    const start = reader.seconds(word, 'start', place)
    const end = reader.seconds(word, 'end', place)
    words.push({ text: text.trim(), start, end, speaker: nonEmptyName(word.speaker_id), separator })
    separator = ''
  }
  return { cues: cuesOfWords(words), ...(language !== undefined && { language }) }
}
