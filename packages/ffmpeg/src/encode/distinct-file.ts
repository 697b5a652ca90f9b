import { createReadStream } from 'node:fs'
import { appendFile, open, rename, rm } from 'node:fs/promises'
import { fail } from '../errors.ts'
import { distinctFrames } from './distinct-frames.ts'
import { type EncodeJob, encodeFrames } from './encode.ts'

const COUNT_BYTES = 4

/** How often each picture comes, and how many there are at the very end. */
const encodeTimes = (times: readonly number[]): Buffer => {
  const bytes = Buffer.alloc((times.length + 1) * COUNT_BYTES)
  for (const [at, count] of [...times, times.length].entries()) bytes.writeUInt32BE(count, at * COUNT_BYTES)
  return bytes
}

const cut = (file: string) => fail('VID_FFMPEG_PROBE', { file, reason: 'it ends within an image.' })

/** Where the pictures end, and how often each comes. */
const readTimes = async (file: string): Promise<{ readonly end: number; readonly times: number[] }> => {
  await using handle = await open(file)
  const { size } = await handle.stat()
  const readEnd = async (bytes: number, before: number) => {
    if (size < bytes + before) throw cut(file)
    return (await handle.read(Buffer.alloc(bytes), 0, bytes, size - bytes - before)).buffer
  }
  const count = (await readEnd(COUNT_BYTES, 0)).readUInt32BE(0)
  if (count === 0) throw cut(file)
  const counts = await readEnd(count * COUNT_BYTES, COUNT_BYTES)
  const times = Array.from({ length: count }, (_, at) => counts.readUInt32BE(at * COUNT_BYTES))
  return { end: size - (count + 1) * COUNT_BYTES, times }
}

/**
 * Encodes frames into one file of pictures that need no other, one after another, and then how often each of them
 * comes: what repeats is encoded once. `outputArgs` end in a muxer that adds nothing to the pictures.
 */
export const encodeDistinct = async (job: EncodeJob): Promise<void> => {
  const { frames, times } = distinctFrames(job.frames)
  const pictures = `${job.outputPath}.pictures`
  try {
    await encodeFrames({ ...job, frames, outputPath: pictures })
    await appendFile(pictures, encodeTimes(times))
    await rename(pictures, job.outputPath)
  } finally {
    await rm(pictures, { force: true })
  }
}

/**
 * The pictures of a file that `encodeDistinct` made, in order, each as often as it comes; `bytesOf` measures the one
 * that a buffer starts with, undefined while its end is missing.
 */
export async function* readDistinct(
  file: string,
  bytesOf: (buffer: Buffer) => number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { end, times } = await readTimes(file)
  const next = times.values()
  let waiting: Buffer[] = []
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20, signal, end: end - 1 })) {
    waiting.push(chunk as Buffer)
    let rest = Buffer.concat(waiting)
    for (let bytes = bytesOf(rest); bytes !== undefined; bytes = bytesOf(rest)) {
      const picture = rest.subarray(0, bytes)
      for (let left = next.next().value ?? 0; left > 0; left--) yield picture
      rest = rest.subarray(bytes)
    }
    waiting = [rest]
  }
  const left = waiting.reduce((sum, { length }) => sum + length, 0)
  if (left > 0 || !next.next().done) throw cut(file)
}
