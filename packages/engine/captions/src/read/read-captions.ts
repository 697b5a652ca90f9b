import { fail } from '../errors.ts'
import { createJsonReader } from '../json/json-reader.ts'
import { findJsonFormat, type JsonFormatName, jsonFormatNames, readJsonFormat } from '../json/read-json.ts'
import { byStart, type Captions, MAX_CUES } from '../model/cue.ts'
import { readAss } from '../text/ass.ts'
import { readVtt } from '../text/read-vtt.ts'
import { readSrt } from '../text/srt.ts'

/** A format of captions or transcripts that can be read. */
export type CaptionFormat = 'vtt' | 'srt' | 'ass' | JsonFormatName

/** The names of all formats. */
export const captionFormats: readonly CaptionFormat[] = ['vtt', 'srt', 'ass', ...jsonFormatNames]

/** A file of captions, with the name that messages give it. */
export interface CaptionSource {
  readonly file: string
  readonly text: string
  /** Left out to find it by the content. */
  readonly format?: CaptionFormat | undefined
}

/** What a file holds, and in which format. */
export interface CaptionFile {
  readonly format: CaptionFormat
  readonly captions: Captions
}

const LINES = { vtt: readVtt, srt: readSrt, ass: readAss }

/** The line of an offset, counted from 1. */
const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

const parseJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (cause) {
    const { message } = cause as SyntaxError
    const offset = /at position (\d+)/.exec(message)?.[1]
    // Where the file ends too early, there is no position.
    const place = `line ${lineAt(text, offset === undefined ? text.length : Number(offset))}`
    throw fail('VID_CAPTIONS_BROKEN', { file, place, reason: `it is not JSON (${message})` }, { cause })
  }
}

/** The format of a text, by its beginning. */
const formatOf = ({ file, text }: CaptionSource): CaptionFormat => {
  const start = text.replace(/^\ufeff/, '').trimStart()
  const formats = captionFormats.join(', ')
  if (/^WEBVTT(?:\s|$)/.test(start)) return 'vtt'
  if (/^\[(?:script info|v4\+? styles|events)\]/im.test(start.slice(0, 4096))) return 'ass'
  if (/^[[{]/.test(start)) {
    const format = findJsonFormat(parseJson(file, text))
    if (format !== undefined) return format
  } else if (start.includes('-->')) return 'srt'
  throw fail('VID_CAPTIONS_FORMAT', { file, formats })
}

/** Reads a file of captions or a transcript; VID_CAPTIONS_BROKEN names the place that is broken. */
export const readCaptions = (source: CaptionSource): CaptionFile => {
  const { file, text, format = formatOf(source) } = source
  const broken = (place: string, reason: string) => fail('VID_CAPTIONS_BROKEN', { file, place, reason })
  if (format === 'vtt' || format === 'srt' || format === 'ass') {
    const result = LINES[format](text)
    if ('problem' in result) throw broken(`line ${result.problem.line}`, result.problem.reason)
    return { format, captions: result.captions }
  }
  const captions = readJsonFormat(format, parseJson(file, text), createJsonReader(file))
  if (captions.cues.length > MAX_CUES) throw broken('the whole file', `it has more than ${MAX_CUES} cues`)
  const early = captions.cues.find(({ start, end }) => end < start)
  if (early) throw broken(`the cue at ${early.start} s`, `its end ${early.end} s is before its start`)
  return { format, captions: { ...captions, cues: byStart(captions.cues) } }
}
