import { CHANNELS, SAMPLE_RATE, type SoundReader } from '@vid/ffmpeg/sound-rules'
import { createRecentMap, recentWork } from '@vid/protocol'
import type { CompositionView } from '../composition-view.ts'

/** The decoded sound of a source. */
export interface SourceSound extends SoundReader {
  /** Seconds, where all of it is here; undefined while it is read piece by piece. */
  readonly duration?: number
}

/** All of a decoded sound; mono is heard on both sides, more than two channels as two. */
export const wholeSound = (buffer: AudioBuffer): SourceSound => {
  const left = buffer.getChannelData(0)
  const right = buffer.numberOfChannels > 1 ? buffer.getChannelData(1) : left
  return {
    duration: buffer.duration,
    async read(from, count) {
      const samples = new Float32Array(count * CHANNELS)
      for (let n = Math.max(0, -from); n < count && from + n < buffer.length; n++) {
        samples[2 * n] = left[from + n] ?? 0
        samples[2 * n + 1] = right[from + n] ?? 0
      }
      return samples
    },
  }
}

/** Samples of one piece that is fetched: of 20 minutes in one, the device would need half a gigabyte. */
export const PIECE_SAMPLES = 5 * SAMPLE_RATE

/** Pieces that are kept: the one that is heard, the one before, and two ahead. */
const MAX_PIECES = 4

/** The sound of a source in pieces, each fetched when the one before is read; what cannot be fetched is silent. */
export const pieceSound = (fetchPiece: (from: number, count: number) => Promise<ArrayBuffer | null>): SourceSound => {
  const pieces = createRecentMap<number, Promise<Float32Array>>(MAX_PIECES)
  const piece = (index: number): Promise<Float32Array> =>
    recentWork(pieces, index, () =>
      fetchPiece(index * PIECE_SAMPLES, PIECE_SAMPLES).then(
        (bytes) => new Float32Array(bytes ?? new ArrayBuffer(0)),
        () => new Float32Array(0),
      ),
    )
  return {
    async read(from, count) {
      const samples = new Float32Array(count * CHANNELS)
      for (let position = Math.max(0, from); position < from + count; ) {
        const index = Math.floor(position / PIECE_SAMPLES)
        const pieceSamples = await piece(index)
        const start = position - index * PIECE_SAMPLES
        const part = Math.min(PIECE_SAMPLES - start, from + count - position)
        samples.set(pieceSamples.subarray(start * CHANNELS, (start + part) * CHANNELS), (position - from) * CHANNELS)
        position += part
        if (pieceSamples.length > 0) void piece(index + 1)
      }
      return samples
    },
  }
}

/** The sound of a source: in pieces where a server decodes it, else as the browser does; undefined when neither can. */
export const openSourceSound = async (
  view: CompositionView,
  src: string,
  decode: (bytes: ArrayBuffer) => Promise<AudioBuffer>,
): Promise<SourceSound | undefined> => {
  if (view.composition.hasServer && (await view.readSound(src, 0, 1).catch(() => null)))
    return pieceSound((from, count) => view.readSound(src, from, count))
  const bytes = await view.readSource(src)
  // The page has named a source that cannot be used, or a sound that this browser cannot decode: it stays silent.
  const buffer = bytes === null ? undefined : await decode(bytes).catch(() => undefined)
  return buffer && wholeSound(buffer)
}
