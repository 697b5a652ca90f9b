import type { Frame } from '../contracts/roles.ts'

/** Bytes of pictures that are held for an encoder that may not start yet: 10 of 1920 × 1080 in yuv420p. */
export const HELD_BYTES = 32 * 2 ** 20

/** A frame with its own pixel buffer; later frames overwrite the buffers of captured frames. */
const copyOf = (frame: Frame, last: Frame | undefined): Frame =>
  // A repeat has the pixels of the frame before it; a Buffer's own slice would not copy them.
  ({ ...frame, data: frame.repeat && last ? last.data : new Uint8Array(frame.data) })

/**
 * Frames that are read ahead of their reader until `ready` has settled, at most as many as take `maxBytes`, and passed
 * on one by one after that. An error of the frames is thrown as soon as it is there.
 */
export async function* holdFrames(
  frames: AsyncIterable<Frame>,
  ready: Promise<unknown>,
  maxBytes = HELD_BYTES,
): AsyncGenerator<Frame> {
  const source = frames[Symbol.asyncIterator]()
  const buffer: Frame[] = []
  let isReady = false
  const note = () => {
    isReady = true
  }
  const settled = ready.then(note, note)
  try {
    let bytes = 0
    let isDone = false
    while (!isReady && !isDone && bytes < maxBytes) {
      const next = await source.next()
      isDone = next.done === true
      if (next.done) break
      const last = buffer.at(-1)
      const frame = copyOf(next.value, last)
      if (frame.data !== last?.data) bytes += frame.data.byteLength
      buffer.push(frame)
    }
    await settled
    for (let frame = buffer.shift(); frame; frame = buffer.shift()) yield frame
    while (!isDone) {
      const next = await source.next()
      if (next.done) return
      yield next.value
    }
  } finally {
    await source.return?.()
  }
}
