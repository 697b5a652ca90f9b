import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Captions, cuesOfWords, estimateWords } from '@vid/captions'
import { readSource, writePlainWav } from '@vid/ffmpeg'
import type { PluginOf, SpokenText, TimedWord } from '@vid/kernel'
import { describeCause, Type } from '@vid/protocol'
import { digestFile, digestOf, inTempFolder, makeScratchFolder } from '@vid/system'
import { checkWords } from './answers/check-result.ts'
import { fail } from './errors.ts'
import { askPlugin } from './results/ask-plugin.ts'
import { type KeptResults, openKeptResults } from './results/kept-results.ts'
import { type Maker, makerOf, resultKey } from './results/maker.ts'
import { MakerSchema, WordSchema } from './results/schemas.ts'
import type { SpeechCall } from './transcribe.ts'

const SAMPLE_RATE = 48_000
const MAX_SOUND_BYTES = 1024 ** 3

/** A text that is to be spoken. */
export interface TextToSpeak {
  readonly text: string
  /** BCP 47 tag. */
  readonly language?: string | undefined
}

/** A text that was spoken, while its sound is there. */
export interface SpokenSound {
  /** Absolute path of a wav of 48 kHz, which is removed afterwards. */
  readonly sound: string
  readonly captions: Captions
  /** Whether the times of words are estimated, since the speaker has none. */
  readonly isEstimated: boolean
  readonly seconds: number
  readonly isKept: boolean
}

const KeptSound = Type.Object({
  by: MakerSchema,
  /** SHA-256 (hex) of the sound. */
  sound: Type.String(),
  words: Type.Union([Type.Array(WordSchema), Type.Null()]),
})

/** The sound and the words of an earlier call; undefined where either is gone or damaged. */
const readKept = async (
  results: KeptResults,
  key: string,
  sound: string,
  signal: AbortSignal,
): Promise<SpokenText | undefined> => {
  const kept = await results.read(key, KeptSound)
  if (!kept || !(await results.getSound(key, sound))) return undefined
  if ((await digestFile(sound, signal)) === kept.sound) return kept.words === null ? {} : { words: kept.words }
  await rm(sound)
  return undefined
}

/** Turns what a speaker has written into a wav; VID_SPEECH_OUTPUT where it is no sound. */
const readSound = async (by: string, file: string, output: string, signal: AbortSignal): Promise<void> => {
  const bytes = await stat(file).then(
    ({ size }) => size,
    () => 0,
  )
  if (bytes === 0) throw fail('VID_SPEECH_OUTPUT', { by, reason: 'it has written no sound' })
  if (bytes > MAX_SOUND_BYTES) throw fail('VID_SPEECH_OUTPUT', { by, reason: `its sound has ${bytes} bytes` })
  await writePlainWav({ file, output, rate: SAMPLE_RATE, channels: 1, signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw fail('VID_SPEECH_OUTPUT', { by, reason: describeCause(cause) }, { cause })
  })
}

const askOrKeep = async (
  speaker: PluginOf<'speaker'>,
  { text, language }: TextToSpeak,
  folder: string,
  { env, signal, isFresh = false }: SpeechCall,
) => {
  const results = await openKeptResults(env)
  const output = join(folder, 'sound')
  await mkdir(output)
  const sound = join(output, 'sound.wav')
  const { call, build } = askPlugin(speaker, folder, signal)
  const by: Maker = makerOf(speaker, await build())
  const digest = digestOf(text)
  const key = resultKey({ task: 'speak', text: digest, language }, by)
  const kept = isFresh ? undefined : await readKept(results, key, sound, signal)
  if (kept) return { sound, words: kept.words, isKept: true }
  const path = join(folder, 'speech.wav')
  const job = { text, path, ...(language !== undefined && { language }) }
  const spoken = await call('speak', (context) => speaker.speak(job, context))
  const words: readonly TimedWord[] | undefined = spoken?.words
  if (words !== undefined) checkWords(speaker.name, words)
  await readSound(speaker.name, path, sound, signal)
  await results.putSound(key, sound)
  await results.write(key, { by, sound: await digestFile(sound, signal), words: words ?? null })
  return { sound, words, isKept: false }
}

/** Has a text spoken, and hands its sound and its captions to `use`; the answer is kept by text and by who has made it. */
export const speakText = async <T>(
  speaker: PluginOf<'speaker'>,
  text: TextToSpeak,
  use: (spoken: SpokenSound) => Promise<T>,
  call: SpeechCall,
): Promise<T> => {
  const folder = await inTempFolder((parent) => makeScratchFolder(parent, 'vid-speech-'))
  try {
    const { sound, words, isKept } = await askOrKeep(speaker, text, folder, call)
    const { duration: seconds } = await readSource(sound, { signal: call.signal })
    const cues = cuesOfWords(words ?? estimateWords(text.text, seconds, text.language))
    const { language } = text
    const captions: Captions = { cues, ...(language !== undefined && { language }) }
    return await use({ sound, captions, isEstimated: words === undefined, seconds, isKept })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
