import { type FileHandle, open } from 'node:fs/promises'

/** Samples a second of all mixed sound. */
export const SAMPLE_RATE = 48_000

/** All mixed sound is stereo. */
export const CHANNELS = 2

/** Bytes of one stereo sample as two 32-bit floats. */
export const SAMPLE_BYTES = 4 * CHANNELS

/** Sound that can be read anywhere; before its start and after its end it is silent. */
export interface SoundReader {
  /** Stereo samples `from … from + count - 1`, interleaved; `from` may be negative. */
  read(from: number, count: number): Promise<Float32Array>
}

/** Reads all bytes that a file has at `position`; what it lacks stays as it is. */
const readFully = async (handle: FileHandle, bytes: Uint8Array, position: number) => {
  for (let filled = 0; filled < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, position + filled)
    if (bytesRead === 0) return
    filled += bytesRead
  }
}

/** Raw 32-bit float stereo of a file, `offset` bytes into it. */
export const readSound = async (
  handle: FileHandle,
  from: number,
  count: number,
  offset = 0,
): Promise<Float32Array> => {
  const samples = new Float32Array(count * CHANNELS)
  const skipped = Math.min(count, Math.max(0, -from))
  const bytes = new Uint8Array(samples.buffer, skipped * SAMPLE_BYTES)
  await readFully(handle, bytes, offset + (from + skipped) * SAMPLE_BYTES)
  return samples
}

/** Writes interleaved samples at sample `from`, `offset` bytes into a file. */
export const writeSound = async (handle: FileHandle, samples: Float32Array, from: number, offset = 0) => {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  await handle.write(bytes, 0, bytes.length, offset + from * SAMPLE_BYTES)
}

/** Opens a file of raw samples for as long as `work` takes. */
export const withSound = async <T>(file: string, work: (sound: SoundReader) => Promise<T>): Promise<T> => {
  const handle = await open(file, 'r')
  try {
    return await work({ read: (from, count) => readSound(handle, from, count) })
  } finally {
    await handle.close()
  }
}

/** Repeats the first `period` samples of a sound; the period may be a fraction, each turn starts on a whole sample. */
export const repeatSound = (sound: SoundReader, period: number): SoundReader => ({
  async read(from, count) {
    const samples = new Float32Array(count * CHANNELS)
    for (let at = Math.max(from, 0); at < from + count; ) {
      // The turn whose rounded start is the last one not after `at`.
      let turn = Math.floor(at / period)
      while (Math.round((turn + 1) * period) <= at) turn++
      while (Math.round(turn * period) > at) turn--
      const start = Math.round(turn * period)
      const end = Math.min(Math.round((turn + 1) * period), from + count)
      samples.set(await sound.read(at - start, end - at), (at - from) * CHANNELS)
      at = end
    }
    return samples
  },
})
