import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type CaptionFormat, type Captions, readCaptions } from '@vid/captions'
import { describeCause } from '@vid/protocol'
import { readGivenFile } from '@vid/system'
import { fail } from '../errors.ts'

/** The most bytes of a transcript: as much as `vid captions import` reads. */
export const MAX_TRANSCRIPT_BYTES = 64 * 1024 * 1024

/** Endings of transcripts, the richest first: several formats at once may be written. */
const ENDINGS = ['.json', '.vtt', '.srt']

/** Reads what a program or service has answered, in any format of `vid captions import`; VID_SPEECH_OUTPUT for another. */
export const readTranscript = (text: string, by: string, format?: CaptionFormat): Captions => {
  if (text.trim() === '') throw fail('VID_SPEECH_OUTPUT', { by, reason: 'it is empty' })
  try {
    return readCaptions({ file: by, text, format }).captions
  } catch (cause) {
    throw fail('VID_SPEECH_OUTPUT', { by, reason: describeCause(cause) }, { cause })
  }
}

/** The text of the transcript that a program has written into a folder; undefined without one. */
export const writtenTranscript = async (
  folder: string,
  by: string,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const names = (await readdir(folder)).sort()
  const name = ENDINGS.flatMap((ending) => names.filter((file) => extname(file).toLowerCase() === ending))[0]
  if (name === undefined) return undefined
  const content = await readGivenFile(join(folder, name), MAX_TRANSCRIPT_BYTES, signal)
  if ('text' in content) return content.text
  const reason = `it has ${content.bytes} bytes; at most ${MAX_TRANSCRIPT_BYTES} are read`
  throw fail('VID_SPEECH_OUTPUT', { by, reason })
}
