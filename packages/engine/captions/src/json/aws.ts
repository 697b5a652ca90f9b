import type { Captions } from '../model/cue.ts'
import { cuesOfWords, type SpokenWord } from '../model/cues-of-words.ts'
import { type Fields, isFields, type JsonReader, nonEmptyName } from './json-reader.ts'

/** Reads the result of a job of Amazon Transcribe: items, of which punctuation has no times. */
export const readAws = (fields: Fields, reader: JsonReader): Captions => {
  const results = isFields(fields.results) ? fields.results : {}
  const language = nonEmptyName(results.language_code)
  const words: SpokenWord[] = []
  // Some languages begin a sentence with a mark.
  let lead = ''
  for (const [item, place] of reader.list(results, 'items', 'results')) {
    const [best] = reader.list(item, 'alternatives', place)
    if (best === undefined) throw reader.broken(`${place}.alternatives`, 'an array with a word is expected')
    const text = reader.text(best[0], 'content', best[1])
    const last = words.at(-1)
    if (item.type === 'punctuation') {
      if (last && !/^[¿¡]/.test(text)) words[words.length - 1] = { ...last, text: last.text + text }
      else lead += text
      continue
    }
    const start = reader.seconds(item, 'start_time', place)
    words.push({
      text: lead + text,
      start,
      end: reader.seconds(item, 'end_time', place),
      speaker: nonEmptyName(item.speaker_label),
    })
    lead = ''
  }
  return { cues: cuesOfWords(words), ...(language !== undefined && { language }) }
}
