import { createHash } from 'node:crypto'
import { decodeScreenshot } from '@vid/browser'
import type { Frame } from '@vid/kernel'

/** A frame whose picture is not that of the frame before. */
export interface PictureChange {
  readonly frame: number
  /** Part of the pixels that changed much, 0 … 1; 1 for the first frame. */
  readonly amount: number
  /** Equal for frames that look the same. */
  readonly digest: string
}

/** Difference of a channel above which a pixel has changed much: below it are edges of what moves slowly. */
const MUCH = 24

const pixelsOf = ({ format, data }: Frame): Uint8Array => (format === 'png' ? decodeScreenshot(data).data : data)

/** Pixels as one number each. */
const wordsOf = (pixels: Uint8Array): Uint32Array =>
  pixels.byteOffset % 4 === 0
    ? new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4)
    : new Uint32Array(new Uint8Array(pixels).buffer)

const amountOf = (one: Uint8Array, other: Uint8Array, words: Uint32Array, others: Uint32Array): number => {
  let changed = 0
  for (let pixel = 0; pixel < words.length; pixel++) {
    // Most pixels of a picture are those of the one before.
    if (words[pixel] === others[pixel]) continue
    const offset = pixel * 4
    const isMuch =
      Math.abs((one[offset] ?? 0) - (other[offset] ?? 0)) > MUCH ||
      Math.abs((one[offset + 1] ?? 0) - (other[offset + 1] ?? 0)) > MUCH ||
      Math.abs((one[offset + 2] ?? 0) - (other[offset + 2] ?? 0)) > MUCH
    if (isMuch) changed += 1
  }
  return (changed * 4) / one.length
}

/** A picture of a frame that differs from the one before; its pixels are valid while it is looked at. */
export interface ChangedPicture {
  readonly frame: number
  /** Four bytes a pixel, and the same as one number a pixel. */
  readonly pixels: Uint8Array
  readonly words: Uint32Array
  /** The numbers of the picture before; undefined for the first that is stepped. */
  readonly before: Uint32Array | undefined
}

/** Goes through the frames of a composition in order, and finds those that change. */
export async function* stepFrames(
  frames: AsyncIterable<Frame>,
  onPicture: (picture: ChangedPicture) => void = () => {},
): AsyncGenerator<PictureChange> {
  let before: Uint8Array | undefined
  for await (const frame of frames) {
    if (frame.repeat) continue
    const pixels = pixelsOf(frame)
    if (before && Buffer.compare(before, pixels) === 0) continue
    const words = wordsOf(pixels)
    const wordsBefore = before && wordsOf(before)
    onPicture({ frame: frame.index, pixels, words, before: wordsBefore })
    yield {
      frame: frame.index,
      amount: before && wordsBefore ? amountOf(before, pixels, wordsBefore, words) : 1,
      digest: createHash('sha1').update(pixels).digest('hex'),
    }
    // The buffer of a frame is used again for later ones.
    before = before?.length === pixels.length ? before : new Uint8Array(pixels.length)
    before.set(pixels)
  }
}
