import { webcrypto } from 'node:crypto'
import type { Frame } from '@vid/kernel'

/** Larger frames, such as raw ones with alpha at 1080p, would cost more than they can spare. */
const MOST_BYTES = 4 * 2 ** 20

/** The digests of frames as they pass; undefined when they are too large to be compared. */
export interface FrameDigests {
  add(frame: Frame): void
  last(): Promise<string | undefined> | undefined
  all(): Promise<string[] | null>
}

/** Starts a list of digests; they are made on other threads, beside what reads the frames. */
export const createFrameDigests = (): FrameDigests => {
  const digests: Promise<string | undefined>[] = []
  const digest = async ({ format, data }: Frame) => {
    if (data.length > MOST_BYTES) return undefined
    const hash = await webcrypto.subtle.digest('SHA-256', data as Uint8Array<ArrayBuffer>)
    return `${format} ${Buffer.from(hash).toString('base64url')}`
  }
  return {
    add(frame) {
      const before = digests.at(-1)
      const own = frame.repeat && before ? before : digest(frame)
      // A failure shows when the digest is asked for.
      own.catch(() => {})
      digests.push(own)
    },
    last: () => digests.at(-1),
    async all() {
      const all = await Promise.all(digests)
      return all.every((each) => each !== undefined) ? all : null
    },
  }
}

/** Passes frames on and notes their digests. */
export async function* noteFrames(
  frames: AsyncIterable<Frame>,
  digests: FrameDigests,
): AsyncGenerator<Frame> {
  for await (const frame of frames) {
    digests.add(frame)
    yield frame
  }
}
