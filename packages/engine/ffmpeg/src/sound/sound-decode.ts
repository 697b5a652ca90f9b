import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { isSystemFault } from '@vid/protocol'
import { fail } from '../errors.ts'
import { startMediaRead } from '../probe/media-read.ts'
import { readSource } from '../probe/source.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { type MediaProcess, QUIET } from '../tools/process.ts'
import { CHANNELS, SAMPLE_RATE } from './sound-reader.ts'

/** A part of a source's first sound stream to decode to raw samples. */
export interface DecodeSoundJob {
  readonly file: string
  /** First sample, counted at 48 kHz from the start of the source. */
  readonly from: number
  readonly samples: number
  /** Absolute path for raw interleaved 32-bit float stereo. */
  readonly output: string
  readonly signal: AbortSignal
  readonly tools: FfmpegTools
}

/** Starts to decode sound on the source's own clock to stdout; VID_FFMPEG_PROBE for a source without sound. */
export const startSoundDecoder = async (job: Omit<DecodeSoundJob, 'output'>): Promise<MediaProcess> => {
  const { file, from, samples, signal, tools } = job
  const { sound, soundIndex, preRoll } = await readSource(file, { signal, tools })
  if (!sound) throw fail('VID_FFMPEG_PROBE', { file, reason: 'it has no sound.' })
  // ffmpeg starts with the pre-roll, players start at time 0.
  const first = from + Math.round(preRoll * SAMPLE_RATE)
  const filters = [
    // Sound that starts late within its file, or has gaps, keeps its position.
    `aresample=${SAMPLE_RATE}:async=1:first_pts=0`,
    // ffmpeg's own upmix would lower a mono source by 3 dB.
    sound.channels === 1 ? 'pan=stereo|c0=c0|c1=c0' : 'aformat=channel_layouts=stereo',
    `atrim=start_sample=${first}:end_sample=${first + samples}`,
  ]
  const raw = ['-ar', `${SAMPLE_RATE}`, '-ac', `${CHANNELS}`, '-c:a', 'pcm_f32le', '-f', 'f32le']
  const after = ['-map', `0:${soundIndex}`, '-af', filters.join(), ...raw, 'pipe:1']
  return startMediaRead({ program: tools.ffmpeg, before: QUIET, file, after }, signal)
}

/** Decodes sound into a file and returns ffmpeg's error messages. */
export const decodeSound = async ({ output, ...job }: DecodeSoundJob): Promise<string> => {
  const child = await startSoundDecoder(job)
  try {
    await pipeline(child.stdout, createWriteStream(output))
  } catch (error) {
    child.kill()
    if (isSystemFault(error)) throw error
    // When the process failed too, it has the cause.
    await child.finished
    throw error
  }
  await child.finished
  const errors = child.reported() ?? ''
  // No samples and no errors: the source ends before the wanted part.
  if (errors !== '' && (await stat(output)).size === 0)
    throw fail('VID_FFMPEG_PROBE', { file: job.file, reason: errors })
  return errors
}
