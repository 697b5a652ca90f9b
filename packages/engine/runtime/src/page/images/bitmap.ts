/** Bytes before the pixels: a file header and the fifth version of the bitmap header, the first with alpha. */
const HEADER = 14 + 124

/** A part of a frame, in pixels. */
export interface PixelArea {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The pixels of a frame, or of a part of it, as an image file: they are only copied, and alpha is not multiplied in. */
export const writeBitmap = async (
  frame: VideoFrame,
  area: PixelArea = { x: 0, y: 0, width: frame.displayWidth, height: frame.displayHeight },
): Promise<Uint8Array<ArrayBuffer>> => {
  const { width, height } = area
  const bytes = new Uint8Array(HEADER + width * height * 4)
  const view = new DataView(bytes.buffer)
  const put = (offset: number, value: number) => view.setUint32(offset, value, true)
  view.setUint16(0, 0x424d)
  put(2, bytes.length)
  put(10, HEADER)
  put(14, HEADER - 14)
  put(18, width)
  // A negative height puts the first row first.
  view.setInt32(22, -height, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 32, true)
  const maskedColours = 3
  const sRgb = 0x73524742
  put(30, maskedColours)
  put(34, width * height * 4)
  const masks = [0xff, 0xff00, 0xff0000, 0xff000000]
  for (const [index, mask] of masks.entries()) put(54 + index * 4, mask)
  put(70, sRgb)
  await frame.copyTo(bytes.subarray(HEADER), { format: 'RGBA', rect: area })
  return bytes
}

/** The type of such a file. */
export const BITMAP_TYPE = 'image/bmp'
