import { type FileHandle, open } from 'node:fs/promises'
import { CHANNELS, type SoundReader } from './sound-reader.ts'

/** Bytes of one stereo sample: two 32-bit floats. */
export const SAMPLE_BYTES = 4 * CHANNELS

/** Reads as many bytes as a file has at `position`; the rest of `bytes` stays unchanged. */
const readFully = async (handle: FileHandle, bytes: Uint8Array, position: number) => {
  for (let length = 0; length < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, position + length)
    if (bytesRead === 0) return
    length += bytesRead
  }
}

/** Reads raw 32-bit float stereo that starts `offset` bytes into a file; `from` may be negative. */
const readSound = async (handle: FileHandle, from: number, count: number, offset = 0): Promise<Float32Array> => {
  const samples = new Float32Array(count * CHANNELS)
  const lead = Math.min(count, Math.max(0, -from))
  const bytes = new Uint8Array(samples.buffer, lead * SAMPLE_BYTES)
  await readFully(handle, bytes, offset + (from + lead) * SAMPLE_BYTES)
  return samples
}

/** Writes interleaved samples at sample `from`, `offset` bytes into a file. */
export const writeSound = async (handle: FileHandle, samples: Float32Array, from: number, offset = 0) => {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  const start = offset + from * SAMPLE_BYTES
  // A disk that has room for a part takes that part without an error; the next write has the error.
  for (let offset = 0; offset < bytes.length; )
    offset += (await handle.write(bytes, offset, bytes.length - offset, start + offset)).bytesWritten
}

/** Opens a file of raw samples, which start `offset` bytes into it; the caller closes its handle. */
export const openSoundFile = async (
  file: string,
  offset = 0,
): Promise<{ readonly sound: SoundReader; readonly handle: FileHandle }> => {
  const handle = await open(file, 'r')
  return { sound: { read: (from, count) => readSound(handle, from, count, offset) }, handle }
}

/** Opens a file of raw samples for as long as `work` takes. */
export const withSound = async <T>(file: string, work: (sound: SoundReader) => Promise<T>, offset = 0): Promise<T> => {
  const { sound, handle } = await openSoundFile(file, offset)
  try {
    return await work(sound)
  } finally {
    await handle.close()
  }
}

/** Writes pieces of raw samples one after the other into a new file, behind a header. */
export const writePieces = async (
  file: string,
  pieces: AsyncIterable<Float32Array>,
  header: Uint8Array = new Uint8Array(0),
  onWritten?: (bytes: number) => void,
): Promise<void> => {
  const handle = await open(file, 'w')
  try {
    await handle.write(header)
    let position = 0
    for await (const piece of pieces) {
      await writeSound(handle, piece, position, header.length)
      position += piece.length / CHANNELS
      onWritten?.(header.length + position * SAMPLE_BYTES)
    }
  } finally {
    await handle.close()
  }
}
