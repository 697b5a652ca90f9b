import { rm } from 'node:fs/promises'
import { describeCause, type Warning } from '@vid/protocol'
import { isSourceFault } from '../probe/source-fault.ts'
import type { FfmpegTools } from '../tools/find.ts'
import { ffmpegWarning } from '../warnings.ts'
import { type OpenedTrack, openSoundTrack } from './opened-track.ts'
import { openSoundFile, writePieces } from './sound-file.ts'
import { layersOf } from './sound-layers.ts'
import { CHANNELS, type SoundReader } from './sound-reader.ts'
import { gainAt, type SampleRange, type SoundTrack, samplesOf, sideGains } from './sound-track.ts'

/** Samples that are mixed at a time. */
const PIECE = 1 << 16

/** Tracks of which each is audible in a range. */
export interface TracksJob {
  readonly tracks: readonly SoundTrack[]
  readonly range: SampleRange
  /** Begins the absolute paths of temporary files. */
  readonly output: string
  /** Level at which the sum is clipped. */
  readonly maxLevel: number
  readonly signal: AbortSignal
  readonly tools: FfmpegTools
  warn(warning: Warning): void
}

/** A mix whose samples are read in order while its tracks are decoded. */
export interface MixedTracks {
  readonly pieces: AsyncGenerator<Float32Array>
  /** How many tracks were decoded so far. */
  trackCount(): number
  close(): Promise<void>
}

/** Opens tracks, each once, and leaves out those that cannot be decoded. */
const createTracks = ({ output, range, signal, tools, warn }: TracksJob) => {
  const opened = new Map<SoundTrack, OpenedTrack | undefined>()
  let count = 0
  /** Undefined for one that is left out. */
  const open = async (track: SoundTrack): Promise<OpenedTrack | undefined> => {
    if (opened.has(track)) return opened.get(track)
    const { origin, end } = samplesOf(track, range)
    try {
      const scratch = `${output}.source-${opened.size}`
      opened.set(track, await openSoundTrack(track, end - origin, { scratch, signal, tools }))
      count += 1
    } catch (error) {
      signal.throwIfAborted()
      if (!isSourceFault(error)) throw error
      opened.set(track, undefined)
      warn(ffmpegWarning('VID_SOUND_LEFT_OUT', { label: track.label, reason: describeCause(error) }))
    }
    return opened.get(track)
  }
  const finish = async (track: SoundTrack) => {
    const sound = opened.get(track)
    if (!sound) return
    const errors = await sound.finish()
    if (errors !== '') warn(ffmpegWarning('VID_SOUND_DAMAGED', { label: track.label, reason: errors }))
    await sound.close()
    opened.set(track, undefined)
  }
  const close = async () => {
    for (const sound of opened.values()) await sound?.close()
    opened.clear()
  }
  return { open, finish, close, count: () => count }
}

/** Adds samples of a track, of which the first is `sample`, to a part of the mix. */
const addSamples = (
  mix: Float32Array,
  source: Float32Array,
  { gain, pan = 0 }: Pick<SoundTrack, 'gain' | 'pan'>,
  sample: number,
): void => {
  const factorOf = gainAt(gain)
  const [left, right] = sideGains(pan)
  for (let n = 0; n < source.length; n += CHANNELS) {
    const factor = factorOf(sample + n / CHANNELS)
    // A float source may contain NaN, which would silence everything mixed with it.
    mix[n] = (mix[n] ?? 0) + ((source[n] ?? 0) * factor * left || 0)
    mix[n + 1] = (mix[n + 1] ?? 0) + ((source[n + 1] ?? 0) * factor * right || 0)
  }
}

/** The sum of some tracks and of what was mixed before. */
async function* mixLayer(
  { range, signal }: Pick<TracksJob, 'range' | 'signal'>,
  layer: readonly SoundTrack[],
  tracks: ReturnType<typeof createTracks>,
  base: SoundReader | undefined,
): AsyncGenerator<Float32Array> {
  const waiting = new Set(layer)
  for (let from = range.first; from < range.end; from += PIECE) {
    signal.throwIfAborted()
    const count = Math.min(PIECE, range.end - from)
    const mix = base ? await base.read(from - range.first, count) : new Float32Array(count * CHANNELS)
    for (const track of waiting) {
      const { origin, first, end } = samplesOf(track, range)
      if (first >= from + count) continue
      const opened = await tracks.open(track)
      const start = Math.max(first, from)
      const last = Math.min(end, from + count)
      if (opened) {
        const source = await opened.sound.read(start - origin, last - start)
        addSamples(mix.subarray((start - from) * CHANNELS), source, track, start)
      }
      if (end > from + count) continue
      waiting.delete(track)
      await tracks.finish(track)
    }
    yield mix
  }
}

/** Limits every value to a level. */
async function* clipPieces(pieces: AsyncGenerator<Float32Array>, level: number): AsyncGenerator<Float32Array> {
  for await (const piece of pieces) {
    for (let n = 0; n < piece.length; n += 1) {
      const value = piece[n] ?? 0
      if (value > level) piece[n] = level
      else if (value < -level) piece[n] = -level
    }
    yield piece
  }
}

/** All layers of a mix; all but the last are mixed into temporary files. */
async function* mixLayers(job: TracksJob, tracks: ReturnType<typeof createTracks>): AsyncGenerator<Float32Array> {
  const layers = layersOf(job.tracks, job.range)
  const last = layers.length - 1
  let base: Awaited<ReturnType<typeof openSoundFile>> | undefined
  try {
    for (const [index, layer] of layers.entries()) {
      const pieces = mixLayer(job, layer, tracks, base?.sound)
      if (index === last) {
        yield* pieces
        continue
      }
      const file = `${job.output}.layer-${index}`
      try {
        await writePieces(file, pieces)
        await base?.handle.close()
        base = await openSoundFile(file)
      } finally {
        // The open file can still be read.
        await rm(file, { force: true })
      }
    }
  } finally {
    await base?.handle.close()
  }
}

/** Begins to mix tracks; undefined if none can be decoded. */
export const openMix = async (job: TracksJob): Promise<MixedTracks | undefined> => {
  const tracks = createTracks(job)
  try {
    let isHeard = false
    for (const track of job.tracks) {
      isHeard = (await tracks.open(track)) !== undefined
      if (isHeard) break
    }
    if (!isHeard) return undefined
    const pieces = clipPieces(mixLayers(job, tracks), job.maxLevel)
    return {
      pieces,
      trackCount: tracks.count,
      async close() {
        await pieces.return(undefined)
        await tracks.close()
      },
    }
  } catch (error) {
    await tracks.close()
    throw error
  }
}
