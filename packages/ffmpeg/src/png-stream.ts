import { createReadStream } from 'node:fs'
import { appendFile, open, rename, rm } from 'node:fs/promises'
import { distinctFrames } from './distinct-frames.ts'
import { type EncodeJob, encodeFrames } from './encode.ts'
import { fail } from './errors.ts'

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

const COUNT_BYTES = 4

/** How often each image comes, and how many there are at the very end. */
const encodeTimes = (times: readonly number[]): Buffer => {
  const bytes = Buffer.alloc((times.length + 1) * COUNT_BYTES)
  for (const [at, count] of [...times, times.length].entries()) bytes.writeUInt32BE(count, at * COUNT_BYTES)
  return bytes
}

/**
 * Encodes frames into one file of RGBA images, one after another, and then how often each of them comes: what repeats
 * is packed once. Images are packed anew, so that the bytes tell nothing of how a frame was captured.
 */
export const encodePngs = async (job: Omit<EncodeJob, 'outputArgs'>, packing: PngPacking): Promise<void> => {
  const { frames, times } = distinctFrames(job.frames)
  const images = `${job.outputPath}.images`
  try {
    await encodeFrames({ ...job, frames, outputPath: images, outputArgs: () => pngArgs(packing) })
    await appendFile(images, encodeTimes(times))
    await rename(images, job.outputPath)
  } finally {
    await rm(images, { force: true })
  }
}

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

/** Where the images end, and how often each comes. */
const readTimes = async (file: string): Promise<{ readonly end: number; readonly times: number[] }> => {
  const cut = () => fail('VID_FFMPEG_PROBE', { file, reason: 'it ends within an image.' })
  await using handle = await open(file)
  const { size } = await handle.stat()
  const readEnd = async (bytes: number, before: number) => {
    if (size < bytes + before) throw cut()
    return (await handle.read(Buffer.alloc(bytes), 0, bytes, size - bytes - before)).buffer
  }
  const count = (await readEnd(COUNT_BYTES, 0)).readUInt32BE(0)
  if (count === 0) throw cut()
  const counts = await readEnd(count * COUNT_BYTES, COUNT_BYTES)
  const times = Array.from({ length: count }, (_, at) => counts.readUInt32BE(at * COUNT_BYTES))
  return { end: size - (count + 1) * COUNT_BYTES, times }
}

/** The images of a file that `encodePngs` made, in order, each as often as it comes. */
export async function* readPngs(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { end, times } = await readTimes(file)
  const next = times.values()
  let waiting: Buffer[] = []
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20, signal, end: end - 1 })) {
    waiting.push(chunk as Buffer)
    let rest = Buffer.concat(waiting)
    for (let bytes = imageBytes(rest); bytes !== undefined; bytes = imageBytes(rest)) {
      const image = rest.subarray(0, bytes)
      for (let left = next.next().value ?? 0; left > 0; left--) yield image
      rest = rest.subarray(bytes)
    }
    waiting = [rest]
  }
  const left = waiting.reduce((sum, { length }) => sum + length, 0)
  if (left > 0 || !next.next().done)
    throw fail('VID_FFMPEG_PROBE', { file, reason: 'it ends within an image.' })
}
