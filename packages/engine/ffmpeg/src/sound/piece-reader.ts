import { CHANNELS, type SoundReader } from './sound-reader.ts'

interface Piece {
  /** Its first sample. */
  readonly first: number
  readonly samples: Float32Array
}

const endOf = ({ first, samples }: Piece): number => first + samples.length / CHANNELS

/**
 * Reads a sound that comes in pieces, in order: a range begins at most `behind` samples before the one that was read
 * last. Only what such a range may need is held.
 */
export const readPieces = (pieces: AsyncIterator<Float32Array>, behind = 0): SoundReader => {
  const recent: Piece[] = []
  let end = 0
  let hasEnded = false
  const receive = async () => {
    const { done, value } = await pieces.next()
    hasEnded = done === true
    if (done || value.length === 0) return
    recent.push({ first: end, samples: value })
    end += value.length / CHANNELS
  }
  return {
    async read(from, count) {
      while (!hasEnded && end < from + count) {
        await receive()
        while (recent[0] && endOf(recent[0]) <= from - behind) recent.shift()
      }
      const samples = new Float32Array(count * CHANNELS)
      for (const piece of recent) {
        const first = Math.max(from, piece.first)
        const last = Math.min(from + count, endOf(piece))
        if (first >= last) continue
        const part = piece.samples.subarray((first - piece.first) * CHANNELS, (last - piece.first) * CHANNELS)
        samples.set(part, (first - from) * CHANNELS)
      }
      return samples
    },
  }
}
