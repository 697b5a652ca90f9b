import { encodeDistinct, readDistinct } from './distinct-file.ts'
import type { EncodeInput } from './encode.ts'

/** Effort of PNG compression: zlib's level, and whether each row gets its best filter. The pixels do not change. */
export interface PngCompression {
  readonly level: number
  readonly pred: 'up' | 'mixed'
}

/** Output options of ffmpeg for a stream of RGBA images. */
export const pngArgs = ({ level, pred }: PngCompression): string[] => [
  '-vf',
  'format=rgba',
  '-c:v',
  'png',
  '-compression_level',
  `${level}`,
  '-pred',
  pred,
  '-flags',
  '+bitexact',
  '-f',
  'image2pipe',
]

/**
 * Encodes frames into a file for `readPngs`. Captured images are compressed again, so that the bytes do not depend on
 * how a frame was captured.
 */
export const encodePngs = (job: Omit<EncodeInput, 'outputArgs'>, compression: PngCompression): Promise<void> =>
  encodeDistinct({ ...job, outputArgs: () => pngArgs(compression) })

const SIGNATURE_BYTES = 8
/** Bytes of a chunk's length, type and checksum. */
const CHUNK_BYTES = 12
const LAST_CHUNK = 'IEND'

/** Length of the image at the start of `buffer`; undefined while its end is missing. */
const imageBytes = (buffer: Buffer): number | undefined => {
  for (let offset = SIGNATURE_BYTES; offset + CHUNK_BYTES <= buffer.length; ) {
    const end = offset + buffer.readUInt32BE(offset) + CHUNK_BYTES
    if (buffer.toString('latin1', offset + 4, offset + 8) === LAST_CHUNK) return end
    offset = end
  }
  return undefined
}

/** Reads the images of a file from `encodePngs` in order, each as many times as it is shown. */
export const readPngs = (file: string, signal: AbortSignal): AsyncGenerator<Buffer> =>
  readDistinct(file, imageBytes, signal)
