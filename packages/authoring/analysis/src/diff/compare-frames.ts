import { decodeScreenshot } from '@vid/browser'
import type { Frame } from '@vid/kernel'
import { comparePixels, type PictureDifference } from './compare-pixels.ts'

/** A frame that is not equal on both sides. */
export interface FrameDifference extends PictureDifference {
  readonly frame: number
}

const rgbaOf = ({ format, data }: Frame): Uint8Array => (format === 'png' ? decodeScreenshot(data).data : data)

const isEqual = (one: Frame, other: Frame) => one.format === other.format && Buffer.compare(one.data, other.data) === 0

/** Compares the frames of both sides in pairs, until one of them has no more. */
export async function* compareFrames(
  before: AsyncIterable<Frame>,
  after: AsyncIterable<Frame>,
  width: number,
): AsyncGenerator<{ readonly frame: number; readonly difference: PictureDifference | undefined }> {
  const one = before[Symbol.asyncIterator]()
  const other = after[Symbol.asyncIterator]()
  let difference: PictureDifference | undefined
  try {
    for (;;) {
      const [old, now] = await Promise.all([one.next(), other.next()])
      if (old.done || now.done) return
      const isRepeat = old.value.repeat && now.value.repeat
      if (!isRepeat)
        difference = isEqual(old.value, now.value)
          ? undefined
          : comparePixels(rgbaOf(old.value), rgbaOf(now.value), width)
      yield { frame: old.value.index, difference }
    }
  } finally {
    await Promise.allSettled([one.return?.(), other.return?.()])
  }
}
