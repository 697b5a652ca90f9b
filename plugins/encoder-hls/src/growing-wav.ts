import { type FileHandle, open, stat } from 'node:fs/promises'
import type { GrowingSound } from '@vid/kernel'
import { failHls } from './errors.ts'

/** A sound that is finished, as one that no longer grows. */
export const finishedSound = async (file: string): Promise<GrowingSound> => {
  const { size } = await stat(file)
  return { file, totalBytes: size, grown: async () => size }
}

/** Bytes that are read at a time. */
const CHUNK = 1 << 18

/** The bytes of an open file as it grows, to its end. */
export async function* growingBytes(
  { file, totalBytes, grown }: GrowingSound,
  handle: FileHandle,
): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < totalBytes; ) {
    const end = await grown(offset)
    const chunk = Buffer.alloc(Math.max(0, Math.min(CHUNK, end - offset)))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, offset)
    if (bytesRead === 0) throw failHls('VID_HLS_SOURCE', { file, problem: `it ends after ${offset} bytes` })
    yield chunk.subarray(0, bytesRead)
    offset += bytesRead
  }
}

/** Bytes in which the head of a wav is. */
const HEAD = 4096

/** Bytes of the name of a chunk and of its length. */
const CHUNK_HEAD = 8

/** The number of samples of a wav of which only the start may be there. */
export const samplesOfWav = async ({ file, totalBytes }: GrowingSound): Promise<number> => {
  const head = Buffer.alloc(HEAD)
  const handle = await open(file)
  const { bytesRead } = await handle.read(head, 0, HEAD, 0).finally(() => handle.close())
  let sampleBytes = 0
  for (let offset = 12; offset + CHUNK_HEAD <= bytesRead; ) {
    const name = head.toString('latin1', offset, offset + 4)
    const length = head.readUInt32LE(offset + 4)
    const start = offset + CHUNK_HEAD
    if (name === 'fmt ' && start + 14 <= bytesRead) sampleBytes = head.readUInt16LE(start + 12)
    // The length of a wav of 4 GiB and more is not in its head.
    if (name === 'data' && sampleBytes > 0)
      return Math.floor((length === 0xff_ff_ff_ff ? totalBytes - start : length) / sampleBytes)
    offset = start + length + (length % 2)
  }
  throw failHls('VID_HLS_SOURCE', { file, problem: 'it has no head of a wav' })
}
