import { createChange } from '@vid/protocol'
import type { Frame } from '../contracts/roles.ts'

/** Frames that are captured ahead of their reader, each with a pixel buffer of its own. */
export interface FrameQueue {
  push(frame: Frame): void
  /** Ends the queue after the frames in it, or with an error. */
  end(error?: unknown): void
  /** The frames in order; each is valid until the frame after the next is read. */
  read(): AsyncGenerator<Frame>
}

/** A frame stays valid while the next one is read, so the buffer before that may be used again. */
const VALID_FRAMES = 2

/** Pixel buffers that are used again once no reader can see them. */
export const createSpareBuffers = () => {
  const spare: Uint8Array[] = []
  return {
    copy(data: Uint8Array): Uint8Array {
      const index = spare.findIndex(({ byteLength }) => byteLength === data.byteLength)
      const [buffer = Buffer.allocUnsafeSlow(data.byteLength)] = index < 0 ? [] : spare.splice(index, 1)
      buffer.set(data)
      return buffer
    },
    give: (buffer: Uint8Array) => void spare.push(buffer),
  }
}
export type SpareBuffers = ReturnType<typeof createSpareBuffers>

/** Creates a queue that copies each frame it is given. */
export const createFrameQueue = (buffers: SpareBuffers): FrameQueue => {
  const frames: Frame[] = []
  let last: Frame | undefined
  let ending: { readonly error?: unknown } | undefined
  const change = createChange()
  return {
    push(frame) {
      // A repeat has the pixels of the frame before it.
      last = { ...frame, data: frame.repeat && last ? last.data : buffers.copy(frame.data) }
      frames.push(last)
      change.note()
    },
    end(error) {
      ending ??= error === undefined ? {} : { error }
      change.note()
    },
    async *read() {
      const valid: Uint8Array[] = []
      for (;;) {
        const frame = frames.shift()
        if (!frame && ending) {
          if ('error' in ending) throw ending.error
          return
        }
        if (!frame) {
          await change.wait()
          continue
        }
        if (frame.data !== valid.at(-1)) valid.push(frame.data)
        if (valid.length > VALID_FRAMES) buffers.give(valid.shift() as Uint8Array)
        yield frame
      }
    },
  }
}
