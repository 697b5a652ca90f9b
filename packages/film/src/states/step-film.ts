import { createHash } from 'node:crypto'
import { decodeScreenshot } from '@vid/browser'
import type { Frame } from '@vid/kernel'

/** A frame whose picture is not that of the frame before. */
export interface FilmChange {
  readonly frame: number
  /** Part of the pixels that changed much, 0 … 1; 1 for the first frame. */
  readonly amount: number
  /** Equal for frames that look the same. */
  readonly digest: string
}

/** Difference of a channel above which a pixel has changed much: below it are edges of what moves slowly. */
const MUCH = 24

const pixelsOf = ({ format, data }: Frame): Uint8Array => (format === 'png' ? decodeScreenshot(data).data : data)

const amountOf = (one: Uint8Array, other: Uint8Array): number => {
  let changed = 0
  for (let offset = 0; offset < one.length; offset += 4) {
    const isMuch =
      Math.abs((one[offset] ?? 0) - (other[offset] ?? 0)) > MUCH ||
      Math.abs((one[offset + 1] ?? 0) - (other[offset + 1] ?? 0)) > MUCH ||
      Math.abs((one[offset + 2] ?? 0) - (other[offset + 2] ?? 0)) > MUCH
    if (isMuch) changed += 1
  }
  return (changed * 4) / one.length
}

/** A picture of a frame that differs from the one before: four bytes a pixel, valid while it is looked at. */
export interface ChangedPicture {
  readonly frame: number
  readonly pixels: Uint8Array
}

/** Goes through the frames of a film in order, and finds those that change. */
export async function* stepFilm(
  frames: AsyncIterable<Frame>,
  onPicture: (picture: ChangedPicture) => void = () => {},
): AsyncGenerator<FilmChange> {
  let before: Uint8Array | undefined
  for await (const frame of frames) {
    if (frame.repeat) continue
    const pixels = pixelsOf(frame)
    if (before && Buffer.compare(before, pixels) === 0) continue
    onPicture({ frame: frame.index, pixels })
    yield {
      frame: frame.index,
      amount: before ? amountOf(before, pixels) : 1,
      digest: createHash('sha1').update(pixels).digest('hex'),
    }
    // The buffer of a frame is used again for later ones.
    before = before?.length === pixels.length ? before : new Uint8Array(pixels.length)
    before.set(pixels)
  }
}
