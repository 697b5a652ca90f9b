import { type Frame, type FrameFormat, frameBytes } from '@vid/kernel'
import { encodePng } from './png.ts'

/** One frame of a synthetic video: a single shade of grey. */
export interface Picture {
  /** 0 is black, 255 is white. */
  readonly shade: number
  /** 0 is transparent; default 255. */
  readonly alpha?: number
  readonly repeat?: boolean
}

/** Formats in which pictures can be generated. */
export const pictureFormats: readonly FrameFormat[] = ['rgba', 'yuv420p', 'yuva420p', 'png']

/** Pictures whose neighbours differ by far more than any encoder's loss. */
export const distinctPictures = (count: number): Picture[] =>
  Array.from({ length: count }, (_, index) => ({ shade: 40 + ((index * 37) % 170) }))

/** Bytes of a picture in a format. */
const pictureBytes = (
  { shade, alpha = 255 }: Picture,
  format: FrameFormat,
  width: number,
  height: number,
): Uint8Array => {
  if (format === 'yuv420p' || format === 'yuva420p') {
    const data = new Uint8Array(frameBytes(format, width, height) ?? 0).fill(128)
    data.fill(alpha, frameBytes('yuv420p', width, height))
    // Limited range: black is 16, white is 235.
    return data.fill(16 + Math.round((shade * 219) / 255), 0, width * height)
  }
  const data = new Uint8Array(width * height * 4).fill(shade)
  for (let offset = 3; offset < data.length; offset += 4) data[offset] = alpha
  return format === 'png' ? encodePng({ width, height, data }) : data
}

/**
 * Frames of pictures as a capture engine sends them: a repeat has the same bytes object again, and bytes are overwritten
 * as soon as the contract allows it.
 */
export async function* greyFrames(
  pictures: readonly Picture[],
  start: number,
  format: FrameFormat,
  width: number,
  height: number,
): AsyncGenerator<Frame> {
  let previous: Uint8Array | undefined
  let last: Uint8Array | undefined
  for (const [offset, picture] of pictures.entries()) {
    if (previous !== last) previous?.fill(0)
    previous = last
    const repeat = picture.repeat === true && last !== undefined
    last = repeat && last ? last : pictureBytes(picture, format, width, height)
    yield { index: start + offset, format, data: last, ...(repeat && { repeat }) }
  }
}
