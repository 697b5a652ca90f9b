import { basename, extname, relative, resolve } from 'node:path'
import { writerOf } from '@vid/captions'
import type { CommandRun } from '@vid/command'
import { fail } from '../errors.ts'
import { transcribeFile } from '../transcribe.ts'
import { loadSpeechPlugins } from './load-speech-plugins.ts'
import type { transcribeOptions } from './options.ts'

type TranscribeRun = Pick<
  CommandRun<typeof transcribeOptions, { readonly file: string }>,
  'arguments' | 'options' | 'cwd' | 'env' | 'signal' | 'spelling' | 'unguarded'
>

/** What was transcribed. */
export interface TranscriptFile {
  /** The file that was written, from the current folder. */
  readonly file: string
  readonly plugin: string
  readonly language: string | null
  readonly cues: number
  /** Words with times. */
  readonly words: number
  /** Whether the answer was kept from an earlier call. */
  readonly kept: boolean
}

/** The work of `vid captions transcribe`. */
export const runTranscribe = async (run: TranscribeRun): Promise<TranscriptFile> => {
  const { arguments: words, options, cwd, env, signal } = run
  const { language, fresh: isFresh = false, force = false } = options
  const { output = `${basename(words.file, extname(words.file))}.vtt` } = options
  const path = resolve(cwd, output)
  const writer = writerOf(output)
  const { config, transcriber } = await loadSpeechPlugins(run)
  if (!transcriber) throw fail('VID_TRANSCRIBER_NONE', { config })
  // Refused before a program runs for minutes.
  if (!force) await writer.checkNew(path)
  const file = resolve(cwd, words.file)
  const { captions, isKept } = await transcribeFile(transcriber, { file, language }, { env, signal, isFresh })
  await writer.write(path, captions, force)
  const { cues } = captions
  return {
    file: relative(cwd, path),
    plugin: transcriber.name,
    language: captions.language ?? null,
    cues: cues.length,
    words: cues.reduce((count, cue) => count + (cue.words?.length ?? 0), 0),
    kept: isKept,
  }
}
