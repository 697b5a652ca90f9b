/** Size of a picture in pixels. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Luma coefficients of bt2020 with non-constant luminance. */
const KR = 0.2627
const KG = 0.678
const KB = 0.0593
/** Scale from 16-bit differences to limited-range chroma. */
const TO_CB = 896 / (2 * (1 - KB)) / 65_535
const TO_CR = 896 / (2 * (1 - KR)) / 65_535
const TO_LUMA = 876 / 65_535

/**
 * Converts 16-bit RGB signals to limited-range bt2020 `yuv420p10`, little-endian, with left-sited chroma as players
 * expect. ffmpeg's scaler is not used: its results are up to two steps too high and differ between versions.
 */
export const toYuv = (rgb: Uint16Array, { width, height }: PictureSize): Uint8Array => {
  const halfWidth = Math.ceil(width / 2)
  const halfHeight = Math.ceil(height / 2)
  const chroma = width * height
  const out = new Uint16Array(chroma + 2 * halfWidth * halfHeight)
  const value = (index: number) => rgb[index] as number
  for (let pixel = 0, offset = 0; pixel < chroma; pixel++, offset += 3) {
    const luma = KR * value(offset) + KG * value(offset + 1) + KB * value(offset + 2)
    out[pixel] = Math.round(64 + luma * TO_LUMA)
  }
  let index = chroma
  for (let y = 0; y < height; y += 2) {
    const above = y * width
    const below = Math.min(y + 1, height - 1) * width
    for (let x = 0; x < width; x += 2) {
      const left = Math.max(x - 1, 0)
      const right = Math.min(x + 1, width - 1)
      /** The mean of one channel: the column counts as much as both of its neighbours. */
      const mean = (channel: number): number => {
        const column = value((above + x) * 3 + channel) + value((below + x) * 3 + channel)
        const before = value((above + left) * 3 + channel) + value((below + left) * 3 + channel)
        const after = value((above + right) * 3 + channel) + value((below + right) * 3 + channel)
        return 0.25 * column + 0.125 * (before + after)
      }
      const red = mean(0)
      const blue = mean(2)
      const luma = KR * red + KG * mean(1) + KB * blue
      out[index] = Math.round(512 + (blue - luma) * TO_CB)
      out[index + halfWidth * halfHeight] = Math.round(512 + (red - luma) * TO_CR)
      index++
    }
  }
  return new Uint8Array(out.buffer)
}
