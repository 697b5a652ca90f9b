import { basename, extname, relative, resolve } from 'node:path'
import type { CommandRun } from '@vid/command'
import { describeCause } from '@vid/protocol'
import { type DecodedText, readGivenBytes, type TextEncoding } from '@vid/system'
import { fail } from '../errors.ts'
import { type Captions, moveCaptions } from '../model/cue.ts'
import { captionText } from '../read/caption-text.ts'
import { readCaptions } from '../read/read-captions.ts'
import type { captionsImportOptions } from './options.ts'
import { writerOf } from './write-captions.ts'

const MAX_BYTES = 64 * 1024 * 1024

type ImportRun = Pick<
  CommandRun<typeof captionsImportOptions, { readonly file: string }>,
  'arguments' | 'options' | 'cwd' | 'signal'
>

/** What was imported. */
export interface ImportedCaptions {
  /** The file that was written, from the current folder. */
  readonly file: string
  readonly format: string
  /** How its characters were written. */
  readonly encoding: TextEncoding
  readonly language: string | null
  readonly cues: number
  /** Words with times. */
  readonly words: number
  readonly speakers: readonly string[]
  /** Seconds at which the last cue ends. */
  readonly end: number
}

const readText = async (file: string, path: string, signal: AbortSignal): Promise<DecodedText> => {
  const read = await readGivenBytes(path, MAX_BYTES, signal).catch((cause: unknown) => {
    throw signal.aborted ? cause : fail('VID_CAPTIONS_FILE', { file, reason: describeCause(cause) }, { cause })
  })
  if ('content' in read) return captionText(file, read.content)
  throw fail('VID_CAPTIONS_FILE', { file, reason: `it has ${read.bytes} bytes; at most ${MAX_BYTES} are read` })
}

/** The work of `vid captions import`. */
export const runCaptionsImport = async ({
  arguments: words,
  options,
  cwd,
  signal,
}: ImportRun): Promise<ImportedCaptions> => {
  const { file } = words
  const { offset = '0', language, output = `${basename(file, extname(file))}.vtt`, force = false } = options
  const path = resolve(cwd, output)
  const writer = writerOf(output)
  const { text, encoding } = await readText(file, resolve(cwd, file), signal)
  const { format, captions } = readCaptions({ file, text, format: options.format })
  const moved = moveCaptions(captions, Number.parseFloat(offset))
  const named: Captions = { ...moved, ...(language !== undefined && { language }) }
  await writer.write(path, named, force)
  const { cues } = named
  return {
    file: relative(cwd, path),
    format,
    encoding,
    language: named.language ?? null,
    cues: cues.length,
    words: cues.reduce((count, cue) => count + (cue.words?.length ?? 0), 0),
    speakers: [...new Set(cues.flatMap(({ speaker }) => speaker ?? []))],
    end: Math.max(0, ...cues.map(({ end }) => end)),
  }
}
