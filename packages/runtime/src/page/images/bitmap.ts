import { natives } from '../realm/natives.ts'

/** Bytes before the pixels: a file header and the fifth version of the bitmap header, the first with alpha. */
const HEADER = 14 + 124

/** The pixels of a decoded frame as an image file: it is only copied, and its alpha is not multiplied in. */
export const writeBitmap = async (frame: VideoFrame): Promise<Blob> => {
  const { displayWidth: width, displayHeight: height } = frame
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
  const [maskedColours, sRgb] = [3, 0x73524742]
  put(30, maskedColours)
  put(34, width * height * 4)
  const masks = [0xff, 0xff00, 0xff0000, 0xff000000]
  for (const [index, mask] of masks.entries()) put(54 + index * 4, mask)
  put(70, sRgb)
  await frame.copyTo(bytes.subarray(HEADER), { format: 'RGBA' })
  return new natives.Blob([bytes], { type: 'image/bmp' })
}
