import { access, copyFile } from 'node:fs/promises'
import { basename, extname, relative, resolve } from 'node:path'
import { writerOf } from '@vid/captions'
import type { CommandRun } from '@vid/command'
import { describeCause } from '@vid/protocol'
import { readGivenFile, writeWhole } from '@vid/system'
import { fail } from '../errors.ts'
import { speakText } from '../speak.ts'
import { loadSpeechPlugins } from './load-speech-plugins.ts'
import type { speakOptions } from './options.ts'

const MAX_TEXT_BYTES = 1024 * 1024

type SpeakRun = Pick<
  CommandRun<typeof speakOptions, { readonly file: string }>,
  'arguments' | 'options' | 'cwd' | 'env' | 'signal' | 'spelling' | 'unguarded'
>

/** What was spoken. */
export interface SpokenFiles {
  /** The sound and its captions, from the current folder. */
  readonly file: string
  readonly captions: string
  readonly plugin: string
  readonly seconds: number
  readonly cues: number
  /** Whether the times of words are estimated. */
  readonly estimated: boolean
  /** Whether the answer was kept from an earlier call. */
  readonly kept: boolean
}

const readText = async (file: string, path: string, signal: AbortSignal): Promise<string> => {
  const content = await readGivenFile(path, MAX_TEXT_BYTES, signal).catch((cause: unknown) => {
    throw signal.aborted ? cause : fail('VID_SPEECH_TEXT', { file, reason: describeCause(cause) }, { cause })
  })
  if (!('text' in content))
    throw fail('VID_SPEECH_TEXT', { file, reason: `it has ${content.bytes} bytes; at most ${MAX_TEXT_BYTES} are read` })
  const text = content.text.trim()
  if (text === '') throw fail('VID_SPEECH_TEXT', { file, reason: 'it is empty' })
  return text
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Copies a sound to its place: whole or not at all. */
const placeSound = (sound: string, path: string): Promise<void> =>
  writeWhole(path, (partial) => copyFile(sound, partial)).catch((cause: unknown) => {
    throw fail('VID_SPEECH_UNWRITABLE', { file: path, reason: describeCause(cause) }, { cause })
  })

/** The work of `vid captions speak`. */
export const runSpeak = async (run: SpeakRun): Promise<SpokenFiles> => {
  const { arguments: words, options, cwd, env, signal } = run
  const { language, fresh: isFresh = false, force = false } = options
  const { output = `${basename(words.file, extname(words.file))}.wav` } = options
  if (extname(output).toLowerCase() !== '.wav') throw fail('VID_SPEECH_WAV', { file: output })
  const path = resolve(cwd, output)
  const captionsPath = `${path.slice(0, -'.wav'.length)}.vtt`
  const writer = writerOf(captionsPath)
  const { config, speaker } = await loadSpeechPlugins(run)
  if (!speaker) throw fail('VID_SPEAKER_NONE', { config })
  if (!force) {
    // Refused before a program runs for minutes.
    if (await exists(path)) throw fail('VID_SPEECH_EXISTS', { file: path })
    await writer.checkNew(captionsPath)
  }
  const text = await readText(words.file, resolve(cwd, words.file), signal)
  return speakText(
    speaker,
    { text, language },
    async ({ sound, captions, isEstimated, seconds, isKept }) => {
      await placeSound(sound, path)
      await writer.write(captionsPath, captions, force)
      return {
        file: relative(cwd, path),
        captions: relative(cwd, captionsPath),
        plugin: speaker.name,
        seconds,
        cues: captions.cues.length,
        estimated: isEstimated,
        kept: isKept,
      }
    },
    { env, signal, isFresh },
  )
}
