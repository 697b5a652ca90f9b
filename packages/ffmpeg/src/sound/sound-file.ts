import { type FileHandle, open } from 'node:fs/promises'

/** Sample rate of all mixed sound, Hz. */
export const SAMPLE_RATE = 48_000

/** Channels of all mixed sound. */
export const CHANNELS = 2

/** Bytes of one stereo sample: two 32-bit floats. */
export const SAMPLE_BYTES = 4 * CHANNELS

/** Sound with random access; silent before its start and after its end. */
export interface SoundReader {
  /** Stereo samples `from … from + count - 1`, interleaved; `from` may be negative. */
  read(from: number, count: number): Promise<Float32Array>
}

/** Reads as many bytes as a file has at `position`; the rest of `bytes` stays unchanged. */
const readFully = async (handle: FileHandle, bytes: Uint8Array, position: number) => {
  for (let filled = 0; filled < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, position + filled)
    if (bytesRead === 0) return
    filled += bytesRead
  }
}

/** Reads raw 32-bit float stereo that starts `offset` bytes into a file; `from` may be negative. */
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
  const start = offset + from * SAMPLE_BYTES
  // A disk that has room for a part takes that part without an error; the next write has the error.
  for (let written = 0; written < bytes.length; )
    written += (await handle.write(bytes, written, bytes.length - written, start + written)).bytesWritten
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

/** Loops the first `period` samples of a sound; `period` may be fractional, each pass starts on a whole sample. */
export const repeatSound = (sound: SoundReader, period: number): SoundReader => ({
  async read(from, count) {
    const samples = new Float32Array(count * CHANNELS)
    for (let sample = Math.max(from, 0); sample < from + count; ) {
      // The last pass whose rounded start is not after `sample`.
      let pass = Math.floor(sample / period)
      while (Math.round((pass + 1) * period) <= sample) pass++
      while (Math.round(pass * period) > sample) pass--
      const start = Math.round(pass * period)
      const end = Math.min(Math.round((pass + 1) * period), from + count)
      samples.set(await sound.read(sample - start, end - sample), (sample - from) * CHANNELS)
      sample = end
    }
    return samples
  },
})
