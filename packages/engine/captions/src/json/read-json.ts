import type { Captions } from '../model/cue.ts'
import { readAssemblyAi } from './assemblyai.ts'
import { readAws } from './aws.ts'
import { readAzure } from './azure.ts'
import { readDeepgram } from './deepgram.ts'
import { readElevenLabs } from './elevenlabs.ts'
import { readGoogle } from './google.ts'
import { type Fields, isFields, type JsonReader } from './json-reader.ts'
import { readWhisper } from './whisper.ts'
import { readWhisperCpp } from './whisper-cpp.ts'

/** A program or service whose JSON is read. */
interface JsonFormat {
  /** Whether a file looks as if this program had written it. */
  matches(fields: Fields): boolean
  read(fields: Fields, reader: JsonReader): Captions
}

const firstWord = (fields: Fields): Fields => {
  const { words } = fields
  return Array.isArray(words) && isFields(words[0]) ? words[0] : {}
}

/** What the results of a service hold. */
const hasResults = (fields: Fields, key: string): boolean => isFields(fields.results) && key in fields.results

/** The formats by name; the first that matches a file is taken. */
const JSON_FORMATS = {
  'whisper-cpp': { matches: (fields) => 'transcription' in fields, read: readWhisperCpp },
  whisper: {
    matches: (fields) => 'segments' in fields || (typeof firstWord(fields).word === 'string' && !('results' in fields)),
    read: readWhisper,
  },
  aws: { matches: (fields) => hasResults(fields, 'items'), read: readAws },
  deepgram: { matches: (fields) => hasResults(fields, 'channels'), read: readDeepgram },
  google: {
    matches: (fields) => Array.isArray(fields.results) || (isFields(fields.response) && 'results' in fields.response),
    read: readGoogle,
  },
  azure: { matches: (fields) => 'recognizedPhrases' in fields || 'phrases' in fields, read: readAzure },
  elevenlabs: { matches: (fields) => typeof firstWord(fields).type === 'string', read: readElevenLabs },
  assemblyai: { matches: (fields) => 'words' in fields || 'utterances' in fields, read: readAssemblyAi },
} as const satisfies Readonly<Record<string, JsonFormat>>

/** The name of a JSON format. */
export type JsonFormatName = keyof typeof JSON_FORMATS

/** The names of all JSON formats. */
export const jsonFormatNames = Object.keys(JSON_FORMATS) as readonly JsonFormatName[]

/** The format that a parsed JSON file has; undefined for one that no supported program writes. */
export const findJsonFormat = (json: unknown): JsonFormatName | undefined => {
  const fields = Array.isArray(json) ? { segments: json } : json
  return isFields(fields) ? jsonFormatNames.find((name) => JSON_FORMATS[name].matches(fields)) : undefined
}

/** Reads a parsed JSON file of a format. */
export const readJsonFormat = (name: JsonFormatName, json: unknown, reader: JsonReader): Captions => {
  const fields = Array.isArray(json) ? { segments: json } : json
  if (!isFields(fields)) throw reader.broken('the whole file', 'an object is expected')
  return JSON_FORMATS[name].read(fields, reader)
}
