import { createReadStream } from 'node:fs'
import { appendFile, open, rename, rm } from 'node:fs/promises'
import { fail } from '../errors.ts'
import { distinctFrames } from './distinct-frames.ts'
import { type EncodeInput, encodeFrames } from './encode.ts'

const COUNT_BYTES = 4

/** The trailer of a file: how many times each picture is shown, then the number of pictures. */
const encodeTimes = (times: readonly number[]): Buffer => {
  const bytes = Buffer.alloc((times.length + 1) * COUNT_BYTES)
  for (const [index, count] of [...times, times.length].entries()) bytes.writeUInt32BE(count, index * COUNT_BYTES)
  return bytes
}

const truncationError = (file: string) => fail('VID_FFMPEG_PROBE', { file, reason: 'it ends within an image.' })

/** Reads the trailer: where the pictures end, and how many times each is shown. */
const readTimes = async (file: string): Promise<{ readonly end: number; readonly times: number[] }> => {
  await using handle = await open(file)
  const { size } = await handle.stat()
  const readEnd = async (bytes: number, before: number) => {
    if (size < bytes + before) throw truncationError(file)
    return (await handle.read(Buffer.alloc(bytes), 0, bytes, size - bytes - before)).buffer
  }
  const count = (await readEnd(COUNT_BYTES, 0)).readUInt32BE(0)
  if (count === 0) throw truncationError(file)
  const counts = await readEnd(count * COUNT_BYTES, COUNT_BYTES)
  const times = Array.from({ length: count }, (_, index) => counts.readUInt32BE(index * COUNT_BYTES))
  return { end: size - (count + 1) * COUNT_BYTES, times }
}

/**
 * Encodes frames into one file of intra-coded pictures and a trailer with the number of times each is shown, so that a
 * repeated frame is encoded once. `outputArgs` must end in a muxer that adds nothing to the pictures.
 */
export const encodeDistinct = async (job: EncodeInput): Promise<void> => {
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
 * Reads the pictures of a file from `encodeDistinct` in order, each as many times as it is shown. `bytesOf` returns the
 * length of the picture at the start of a buffer, undefined while its end is missing.
 */
export async function* readDistinct(
  file: string,
  bytesOf: (buffer: Buffer) => number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { end, times } = await readTimes(file)
  const next = times.values()
  let unread: Buffer[] = []
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20, signal, end: end - 1 })) {
    unread.push(chunk as Buffer)
    let rest = Buffer.concat(unread)
    for (let bytes = bytesOf(rest); bytes !== undefined; bytes = bytesOf(rest)) {
      const picture = rest.subarray(0, bytes)
      for (let repeats = next.next().value ?? 0; repeats > 0; repeats--) yield picture
      rest = rest.subarray(bytes)
    }
    unread = [rest]
  }
  const unreadBytes = unread.reduce((sum, { length }) => sum + length, 0)
  if (unreadBytes > 0 || !next.next().done) throw truncationError(file)
}
