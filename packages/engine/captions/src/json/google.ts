import type { Captions } from '../model/cue.ts'
import { cuesOfPassage, type SpokenWord } from '../model/cues-of-words.ts'
import { type Fields, isFields, type JsonReader, nonEmptyName } from './json-reader.ts'

/** A time of version 1 (`startTime`) or 2 (`startOffset`) of the service, which leaves a 0 out. */
const timeOf = (reader: JsonReader, fields: Fields, keys: readonly string[], place: string): number => {
  const key = keys.find((name) => fields[name] !== undefined)
  return key === undefined ? 0 : reader.seconds(fields, key, place)
}

/** Reads an answer of Google Cloud Speech-to-Text that was asked for the offsets of words. */
export const readGoogle = (json: Fields, reader: JsonReader): Captions => {
  const fields = isFields(json.response) ? json.response : json
  const results = reader.list(fields, 'results', '')
  const language = results.map(([result]) => nonEmptyName(result.languageCode)).find((code) => code !== undefined)
  const cues = results.flatMap(([result, place]) => {
    const [best] = reader.list(result, 'alternatives', place)
    if (best === undefined) return []
    const [alternative, path] = best
    const words = reader.list(alternative, 'words', path).map(
      ([word, at]): SpokenWord => ({
        text: reader.text(word, 'word', at).replace(/^▁/, ''),
        start: timeOf(reader, word, ['startTime', 'startOffset'], at),
        end: timeOf(reader, word, ['endTime', 'endOffset'], at),
        speaker: nonEmptyName(word.speakerLabel) ?? (word.speakerTag === 0 ? undefined : nonEmptyName(word.speakerTag)),
      }),
    )
    const [first] = words
    if (first === undefined) throw reader.broken(path, 'no words with times; ask the service for word time offsets')
    const passage = {
      start: first.start,
      end: words.at(-1)?.end ?? first.end,
      text: reader.text(alternative, 'transcript', path),
    }
    return cuesOfPassage(passage, words)
  })
  return { cues, ...(language !== undefined && { language }) }
}
