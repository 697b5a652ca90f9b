import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { describeCause, type Warning } from '@vid/kernel'
import { isSourceFault } from '../probe/source-fault.ts'
import { type FfmpegTools, findFfmpeg } from '../tools/find.ts'
import { ffmpegWarning } from '../warnings.ts'
import { decodeSound } from './sound-decode.ts'
import { readSound, SAMPLE_BYTES, withSound, writePieces, writeSound } from './sound-file.ts'
import { CHANNELS, repeatSound, SAMPLE_RATE, type SoundReader } from './sound-reader.ts'
import { stretchSound } from './sound-stretch.ts'
import { gainAt, isAudible, type SampleRange, type SoundTrack, samplesOf, sideGains } from './sound-track.ts'
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
}

/** Samples that are mixed at a time. */
const PIECE = 1 << 16

/** Extra samples of the source that stretching reads beyond the result's length. */
const STRETCH_MARGIN = 4096

/** Adds a sound to the mix, which begins at the sample `mixStart`, and returns the highest absolute value of the result. */
const addSound = async (
  mix: FileHandle,
  sound: SoundReader,
  { origin, first, end, mixStart }: ReturnType<typeof samplesOf> & { readonly mixStart: number },
  { gain, pan = 0 }: Pick<SoundTrack, 'gain' | 'pan'>,
  signal: AbortSignal,
): Promise<number> => {
  const factor = gainAt(gain)
  const sides = sideGains(pan)
  let peak = 0
  for (let from = first; from < end; from += PIECE) {
    signal.throwIfAborted()
    const count = Math.min(PIECE, end - from)
    const [mixSamples, sourceSamples] = await Promise.all([
      readSound(mix, from - mixStart, count, WAV_HEADER_BYTES),
      sound.read(from - origin, count),
    ])
    for (let n = 0; n < mixSamples.length; n++) {
      // A float source may contain NaN, which would silence everything mixed with it.
      const value =
        (mixSamples[n] ?? 0) + ((sourceSamples[n] ?? 0) * factor(from + (n >> 1)) * (sides[n & 1] ?? 1) || 0)
      mixSamples[n] = value
      peak = Math.max(peak, Math.abs(value))
    }
    await writeSound(mix, mixSamples, from - mixStart, WAV_HEADER_BYTES)
  }
  return peak
}

/** Limits every value of the mix to a level. */
const clip = async (mix: FileHandle, samples: number, level: number, signal: AbortSignal) => {
  for (let from = 0; from < samples; from += PIECE) {
    signal.throwIfAborted()
    const piece = await readSound(mix, from, Math.min(PIECE, samples - from), WAV_HEADER_BYTES)
    await writeSound(
      mix,
      piece.map((value) => Math.min(level, Math.max(-level, value))),
      from,
      WAV_HEADER_BYTES,
    )
  }
}

/** Decodes the audible samples of a track and passes them to `add`; removes its temporary files afterwards. */
const useTrack = async <T>(
  track: SoundTrack,
  length: number,
  { output, signal, warn, tools }: AudioMix & { readonly tools: FfmpegTools },
  add: (sound: SoundReader) => Promise<T>,
): Promise<T> => {
  const { file, label, rate, loop } = track
  const sourceFile = `${output}.source`
  const stretchedFile = `${output}.stretched`
  const period = loop === undefined ? Infinity : Math.max(1, (loop * SAMPLE_RATE) / rate)
  const samples = Math.min(length, Math.ceil(period))
  const sourceSamples = rate === 1 ? samples : Math.ceil(samples * rate) + STRETCH_MARGIN
  try {
    const errors = await decodeSound({
      file,
      from: Math.round(track.mediaStart * SAMPLE_RATE),
      samples: loop === undefined ? sourceSamples : Math.min(sourceSamples, Math.round(loop * SAMPLE_RATE)),
      output: sourceFile,
      signal,
      tools,
    })
    if (errors !== '') warn(ffmpegWarning('VID_SOUND_DAMAGED', { label, reason: errors }))
    if (rate !== 1)
      await withSound(sourceFile, (sound) => writePieces(stretchedFile, stretchSound(sound, { rate, samples, signal })))
    return await withSound(rate === 1 ? sourceFile : stretchedFile, (sound) =>
      add(period < length ? repeatSound(sound, period) : sound),
    )
  } finally {
    await Promise.all([sourceFile, stretchedFile].map((path) => rm(path, { force: true })))
  }
}

/** The samples that a mix writes. */
export const mixRange = ({ from = 0, until }: Pick<AudioMix, 'from' | 'until'>): SampleRange => ({
  first: Math.round(from * SAMPLE_RATE),
  end: Math.round(until * SAMPLE_RATE),
})

/**
 * Mixes tracks into one wav file of 48 kHz stereo, each at its exact sample and with unchanged levels; the result is
 * clipped at full scale. A track that cannot be decoded is skipped with a warning. Without tracks no file is written.
 */
export const mixAudio = async (job: AudioMix): Promise<{ readonly trackCount: number }> => {
  const { signal, warn, output, maxLevel = 1 } = job
  const window = mixRange(job)
  const samples = window.end - window.first
  const tracks = job.tracks.filter((track) => isAudible(track, window))
  signal.throwIfAborted()
  if (tracks.length === 0) return { trackCount: 0 }
  const tools = job.tools ?? (await findFfmpeg({ signal }))
  const partial = `${output}.partial`
  const mix = await open(partial, 'w+')
  let count = 0
  try {
    await mix.write(wavHeader(samples, { sampleRate: SAMPLE_RATE, channels: CHANNELS }))
    await mix.truncate(WAV_HEADER_BYTES + samples * SAMPLE_BYTES)
    let peak = 0
    for (const track of tracks) {
      const range = samplesOf(track, window)
      try {
        const trackPeak = await useTrack(track, range.end - range.origin, { ...job, tools }, (sound) =>
          addSound(mix, sound, { ...range, mixStart: window.first }, track, signal),
        )
        peak = Math.max(peak, trackPeak)
        count++
      } catch (error) {
        signal.throwIfAborted()
        if (!isSourceFault(error)) throw error
        warn(ffmpegWarning('VID_SOUND_LEFT_OUT', { label: track.label, reason: describeCause(error) }))
      }
    }
    if (peak > maxLevel) await clip(mix, samples, maxLevel, signal)
    await mix.close()
    if (count > 0) await rename(partial, output)
    return { trackCount: count }
  } finally {
    await mix.close()
    await rm(partial, { force: true })
  }
}
