import { rename, rm } from 'node:fs/promises'
import type { SoundGrowth } from '@vid/kernel'
import type { Warning } from '@vid/protocol'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { type MixedTracks, openMix } from './mixed-tracks.ts'
import { SAMPLE_BYTES, writePieces } from './sound-file.ts'
import { CHANNELS, SAMPLE_RATE } from './sound-reader.ts'
import { isAudible, type SampleRange, type SoundTrack } from './sound-track.ts'
import { WAV_HEADER_BYTES, wavHeader } from './wav.ts'

/** Sound tracks to mix into one file. */
export interface AudioMix {
  readonly tracks: readonly SoundTrack[]
  /** The part of the mix that is written, in seconds from the start of the composition; `from` defaults to 0. */
  readonly until: number
  readonly from?: number
  /** Absolute path of a 32-bit float wav; written completely or not at all. Temporary files lie beside it. */
  readonly output: string
  readonly signal: AbortSignal
  warn(warning: Warning): void
  /** Default: what `findFfmpeg()` finds. */
  readonly tools?: FfmpegTools
  /** Level at which the sum is clipped; 1, full scale, if left out. */
  readonly maxLevel?: number
  /** Called as the file grows; it then grows at `output`, and is removed if the mix fails. */
  onGrowth?(growth: SoundGrowth): void
}

/** The samples that a mix writes. */
export const mixRange = ({ from = 0, until }: Pick<AudioMix, 'from' | 'until'>): SampleRange => ({
  first: Math.round(from * SAMPLE_RATE),
  end: Math.round(until * SAMPLE_RATE),
})

/** Runs `write` with the mix of the tracks that are audible in a range; resolves to the number of those. */
export const withMix = async (
  job: AudioMix,
  write: (mix: MixedTracks) => Promise<void>,
): Promise<{ readonly trackCount: number }> => {
  const { signal, maxLevel = 1 } = job
  const range = mixRange(job)
  const tracks = job.tracks.filter((track) => isAudible(track, range))
  signal.throwIfAborted()
  if (tracks.length === 0) return { trackCount: 0 }
  const tools = job.tools ?? (await findFfmpeg({ signal }))
  const mix = await openMix({ ...job, tracks, range, maxLevel, tools })
  if (!mix) return { trackCount: 0 }
  try {
    await write(mix)
    return { trackCount: mix.trackCount() }
  } finally {
    await mix.close()
  }
}

/** Writes the samples of a mix as a wav. */
export const writeMix = async (
  pieces: AsyncIterable<Float32Array>,
  samples: number,
  { output, onGrowth }: Pick<AudioMix, 'output' | 'onGrowth'>,
): Promise<void> => {
  const header = wavHeader(samples, { sampleRate: SAMPLE_RATE, channels: CHANNELS })
  const file = onGrowth ? output : `${output}.partial`
  const totalBytes = WAV_HEADER_BYTES + samples * SAMPLE_BYTES
  try {
    await writePieces(file, pieces, header, (bytes) => onGrowth?.({ file, bytes, totalBytes }))
    if (file !== output) await rename(file, output)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

/**
 * Mixes tracks into one wav file of 48 kHz stereo, each at its exact sample and with unchanged levels; the result is
 * clipped at full scale. A track that cannot be decoded is skipped with a warning. Without tracks no file is written.
 */
export const mixAudio = (job: AudioMix): Promise<{ readonly trackCount: number }> => {
  const { first, end } = mixRange(job)
  return withMix(job, ({ pieces }) => writeMix(pieces, end - first, job))
}
