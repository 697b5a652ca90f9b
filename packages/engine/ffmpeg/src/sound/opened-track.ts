import { rm } from 'node:fs/promises'
import type { FfmpegTools } from '../tools/find.ts'
import { readPieces } from './piece-reader.ts'
import { openSoundFile, writePieces } from './sound-file.ts'
import { repeatSound, SAMPLE_RATE, type SoundReader } from './sound-reader.ts'
import { streamSound } from './sound-stream.ts'
import { STRETCH_BEHIND, stretchSound } from './sound-stretch.ts'
import type { SoundTrack } from './sound-track.ts'

/** Extra samples of the source that stretching reads beyond the result's length. */
const STRETCH_MARGIN = 4096

/** A track whose samples are read in order while they are decoded. */
export interface OpenedTrack {
  /** Counted from the start of the track. */
  readonly sound: SoundReader
  /** Reads what is left; resolves to the errors of the whole source, empty without any. */
  finish(): Promise<string>
  close(): Promise<void>
}

/** How a track is opened. */
export interface TrackOptions {
  /** Absolute path of a temporary file, which a loop needs. */
  readonly scratch: string
  readonly signal: AbortSignal
  readonly tools: FfmpegTools
}

/** A loop is decoded as a whole, since it is read again and again. */
const openLoop = async (
  pieces: AsyncGenerator<Float32Array>,
  period: number,
  scratch: string,
): Promise<{ readonly sound: SoundReader; close(): Promise<void> }> => {
  const remove = () => rm(scratch, { force: true })
  try {
    await writePieces(scratch, pieces)
    const { sound, handle } = await openSoundFile(scratch)
    const close = async () => {
      await handle.close()
      await remove()
    }
    return { sound: repeatSound(sound, period), close }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Opens `length` samples of a track from its start; fails where none can be decoded. */
export const openSoundTrack = async (
  { file, rate, loop, mediaStart }: SoundTrack,
  length: number,
  { scratch, signal, tools }: TrackOptions,
): Promise<OpenedTrack> => {
  const period = loop === undefined ? Infinity : Math.max(1, (loop * SAMPLE_RATE) / rate)
  const samples = Math.min(length, Math.ceil(period))
  const sourceSamples = rate === 1 ? samples : Math.ceil(samples * rate) + STRETCH_MARGIN
  const decoded = await streamSound({
    file,
    from: Math.round(mediaStart * SAMPLE_RATE),
    samples: loop === undefined ? sourceSamples : Math.min(sourceSamples, Math.round(loop * SAMPLE_RATE)),
    signal,
    tools,
  })
  const finish = async () => {
    for await (const _piece of decoded.pieces);
    return decoded.errors()
  }
  const pieces =
    rate === 1 ? decoded.pieces : stretchSound(readPieces(decoded.pieces, STRETCH_BEHIND), { rate, samples, signal })
  if (period >= length) return { sound: readPieces(pieces), finish, close: decoded.close }
  try {
    const { sound, close } = await openLoop(pieces, period, scratch)
    return {
      sound,
      finish,
      async close() {
        await close()
        await decoded.close()
      },
    }
  } catch (error) {
    await decoded.close()
    throw error
  }
}
