import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Captions } from '@vid/captions'
import { writePlainWav } from '@vid/ffmpeg'
import type { PluginOf } from '@vid/kernel'
import { Type } from '@vid/protocol'
import { digestFile, inTempFolder, makeScratchFolder } from '@vid/system'
import { checkTranscript } from './answers/check-result.ts'
import { askPlugin } from './results/ask-plugin.ts'
import { openKeptResults } from './results/kept-results.ts'
import { makerOf, resultKey } from './results/maker.ts'
import { CueSchema, MakerSchema } from './results/schemas.ts'

/** What speech programs take best. */
const SAMPLE_RATE = 16_000

/** How a speech program is asked. */
export interface SpeechCall {
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  /** Asks again, also where the answer is kept. */
  readonly isFresh?: boolean
}

/** A sound or video file whose words are wanted. */
export interface SpokenFile {
  /** Absolute. */
  readonly file: string
  /** BCP 47 tag. */
  readonly language?: string | undefined
}

/** The words of a file, and whether they were kept from an earlier call. */
export interface TranscribedFile {
  readonly captions: Captions
  readonly isKept: boolean
}

const KeptTranscript = Type.Object({
  by: MakerSchema,
  language: Type.Optional(Type.String()),
  cues: Type.Array(CueSchema),
})

/** Has a file transcribed; the answer is kept by the digest of its sound and by who has made it. */
export const transcribeFile = async (
  transcriber: PluginOf<'transcriber'>,
  { file, language }: SpokenFile,
  { env, signal, isFresh = false }: SpeechCall,
): Promise<TranscribedFile> => {
  const results = await openKeptResults(env)
  const folder = await inTempFolder((parent) => makeScratchFolder(parent, 'vid-speech-'))
  try {
    const sound = join(folder, 'sound')
    await mkdir(sound)
    const wav = join(sound, 'sound.wav')
    await writePlainWav({ file, output: wav, rate: SAMPLE_RATE, channels: 1, signal })
    const { call, build } = askPlugin(transcriber, folder, signal)
    const by = makerOf(transcriber, await build())
    const key = resultKey({ task: 'transcribe', sound: await digestFile(wav, signal), language }, by)
    const kept = isFresh ? undefined : await results.read(key, KeptTranscript)
    if (kept) {
      const { by: _, ...captions } = kept
      return { captions, isKept: true }
    }
    const job = { file: wav, ...(language !== undefined && { language }) }
    const transcript = await call('transcribe', (context) => transcriber.transcribe(job, context))
    checkTranscript(transcriber.name, transcript)
    const captions = { language, ...transcript } as Captions
    await results.write(key, { by, ...captions })
    return { captions, isKept: false }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
