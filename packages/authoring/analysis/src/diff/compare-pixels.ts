/** How two pictures of one size differ. */
export interface PictureDifference {
  /** Part of the pixels that are not equal, 0 … 1. */
  readonly changed: number
  /** Peak signal-to-noise ratio in dB; null for equal pictures. */
  readonly psnr: number | null
  /** The smallest box around them, in pixels. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

const words = (pixels: Uint8Array): Uint32Array => {
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : new Uint8Array(pixels)
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4)
}

const squares = (one: number, other: number): number => {
  const red = (one & 255) - (other & 255)
  const green = ((one >>> 8) & 255) - ((other >>> 8) & 255)
  const blue = ((one >>> 16) & 255) - ((other >>> 16) & 255)
  return red * red + green * green + blue * blue
}

/** Compares two pictures of four bytes a pixel; undefined when they are equal. */
export const comparePixels = (one: Uint8Array, other: Uint8Array, width: number): PictureDifference | undefined => {
  if (Buffer.compare(one, other) === 0) return undefined
  const a = words(one)
  const b = words(other)
  let changed = 0
  let error = 0
  let left = width
  let right = -1
  let top = -1
  let bottom = 0
  for (let index = 0; index < a.length; index += 1) {
    const pixel = a[index] ?? 0
    const otherPixel = b[index] ?? 0
    if (pixel === otherPixel) continue
    changed += 1
    error += squares(pixel, otherPixel)
    const x = index % width
    const y = (index - x) / width
    if (x < left) left = x
    if (x > right) right = x
    if (top < 0) top = y
    bottom = y
  }
  const mean = error / (a.length * 3)
  return {
    changed: changed / a.length,
    psnr: mean > 0 ? 10 * Math.log10(255 ** 2 / mean) : null,
    box: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 },
  }
}
