import { encodeDistinct, readDistinct } from './distinct-file.ts'
import type { EncodeJob } from './encode.ts'

/** How hard a PNG is packed: zlib's level, and whether the best row filter is searched; the pixels are the same. */
export interface PngPacking {
  readonly level: number
  readonly pred: 'up' | 'mixed'
}

/** ffmpeg's output options for RGBA images, one after another. */
export const pngArgs = ({ level, pred }: PngPacking): string[] => [
  ...['-vf', 'format=rgba', '-c:v', 'png', '-compression_level', `${level}`, '-pred', pred],
  ...['-flags', '+bitexact', '-f', 'image2pipe'],
]

/**
 * Encodes frames into a file for `readPngs`. Images are packed anew, so that the bytes tell nothing of how a frame was
 * captured.
 */
export const encodePngs = (job: Omit<EncodeJob, 'outputArgs'>, packing: PngPacking): Promise<void> =>
  encodeDistinct({ ...job, outputArgs: () => pngArgs(packing) })

const SIGNATURE_BYTES = 8
/** Length, type and checksum of a chunk. */
const CHUNK_BYTES = 12
const LAST_CHUNK = 'IEND'

/** Bytes of the image that `buffer` starts with, or undefined while its end is missing. */
const imageBytes = (buffer: Buffer): number | undefined => {
  for (let at = SIGNATURE_BYTES; at + CHUNK_BYTES <= buffer.length; ) {
    const end = at + buffer.readUInt32BE(at) + CHUNK_BYTES
    if (buffer.toString('latin1', at + 4, at + 8) === LAST_CHUNK) return end
    at = end
  }
  return undefined
}

/** The images of a file that `encodePngs` made, in order, each as often as it comes. */
export const readPngs = (file: string, signal: AbortSignal): AsyncGenerator<Buffer> =>
  readDistinct(file, imageBytes, signal)
