import type { Captions, Cue } from '../model/cue.ts'
import { cuesOfPassage } from '../model/cues-of-words.ts'
import { type Fields, type JsonReader, nonEmptyName } from './json-reader.ts'

const TICKS = 1e7
const MS = 1000

/** Start and end of a start and a length in units of a second. */
const timesOf = (reader: JsonReader, fields: Fields, place: string): { start: number; end: number } => {
  const isTicks = fields.offsetInTicks !== undefined
  const suffix = isTicks ? 'InTicks' : 'Milliseconds'
  const perSecond = isTicks ? TICKS : MS
  const start = reader.units(fields, `offset${suffix}`, perSecond, place)
  const length = reader.units(fields, `duration${suffix}`, perSecond, place)
  return { start, end: Math.round((start + length) * 1e6) / 1e6 }
}

/** A phrase of a batch transcription; words as they are displayed, where the service lists them. */
const batchCues = (reader: JsonReader, phrase: Fields, place: string): Cue[] => {
  const [best] = reader.list(phrase, 'nBest', place)
  if (best === undefined) return []
  const [text, path] = best
  const hasDisplayed = text.displayWords !== undefined
  const words = reader.list(text, hasDisplayed ? 'displayWords' : 'words', path).map(([word, at]) => ({
    ...timesOf(reader, word, at),
    text: reader.text(word, hasDisplayed ? 'displayText' : 'word', at),
  }))
  const passage = {
    ...timesOf(reader, phrase, place),
    text: reader.text(text, 'display', path),
    speaker: nonEmptyName(phrase.speaker),
  }
  return cuesOfPassage(passage, words)
}

const fastCues = (reader: JsonReader, phrase: Fields, place: string): Cue[] => {
  const words = reader
    .list(phrase, 'words', place)
    .map(([word, at]) => ({ ...timesOf(reader, word, at), text: reader.text(word, 'text', at) }))
  const passage = {
    ...timesOf(reader, phrase, place),
    text: reader.text(phrase, 'text', place),
    speaker: nonEmptyName(phrase.speaker),
  }
  return cuesOfPassage(passage, words)
}

/** Reads a result of Azure Speech: of a batch transcription, or of the fast transcription API. */
export const readAzure = (fields: Fields, reader: JsonReader): Captions => {
  const batch = reader.list(fields, 'recognizedPhrases', '')
  const fast = reader.list(fields, 'phrases', '')
  const language = [...batch, ...fast].map(([phrase]) => nonEmptyName(phrase.locale)).find((tag) => tag !== undefined)
  return {
    cues: [
      ...batch.flatMap(([phrase, place]) => batchCues(reader, phrase, place)),
      ...fast.flatMap(([phrase, place]) => fastCues(reader, phrase, place)),
    ],
    ...(language !== undefined && { language }),
  }
}
