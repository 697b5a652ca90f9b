import { webcrypto } from 'node:crypto'
import type { Frame } from '@vid/kernel'

/** Limit on frames hashed at the same time: each has a copy, 33 MB for a raw one with alpha at 2160p. */
const MAX_AT_ONCE = 4

/** Collects the digests of frames as they pass. */
export interface FrameDigests {
  /** Settles when the next frame may follow. */
  add(frame: Frame): Promise<void>
  last(): Promise<string> | undefined
  all(): Promise<string[]>
}

/** Creates a list of digests; frames are hashed on other threads while they are consumed. */
export const createFrameDigests = (): FrameDigests => {
  const digests: Promise<string>[] = []
  const digest = async ({ format, data }: Frame) => {
    const hash = await webcrypto.subtle.digest('SHA-256', data as Uint8Array<ArrayBuffer>)
    return `${format} ${Buffer.from(hash).toString('base64url')}`
  }
  return {
    async add(frame) {
      const before = digests.at(-1)
      const current = frame.repeat && before ? before : digest(frame)
      // A failure is reported when the digest is read.
      current.catch(() => {})
      digests.push(current)
      await digests.at(-MAX_AT_ONCE)?.catch(() => {})
    },
    last: () => digests.at(-1),
    all: () => Promise.all(digests),
  }
}

/** Passes frames on and adds their digests to a list. */
export async function* digestFrames(frames: AsyncIterable<Frame>, digests: FrameDigests): AsyncGenerator<Frame> {
  for await (const frame of frames) {
    await digests.add(frame)
    yield frame
  }
}
