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
  const lumaAt = (offset: number) => KR * (rgb[offset] ?? 0) + KG * (rgb[offset + 1] ?? 0) + KB * (rgb[offset + 2] ?? 0)
  for (let pixel = 0; pixel < chroma; pixel++) out[pixel] = Math.round(64 + lumaAt(pixel * 3) * TO_LUMA)
  for (let row = 0; row < halfHeight; row++) {
    const rows = [row * 2, Math.min(row * 2 + 1, height - 1)]
    for (let column = 0; column < halfWidth; column++) {
      const x = column * 2
      let red = 0
      let green = 0
      let blue = 0
      for (const y of rows)
        for (let near = -1; near <= 1; near++) {
          const weight = near === 0 ? 0.25 : 0.125
          const offset = (y * width + Math.min(width - 1, Math.max(0, x + near))) * 3
          red += weight * (rgb[offset] ?? 0)
          green += weight * (rgb[offset + 1] ?? 0)
          blue += weight * (rgb[offset + 2] ?? 0)
        }
      const luma = KR * red + KG * green + KB * blue
      const index = chroma + row * halfWidth + column
      out[index] = Math.round(512 + (blue - luma) * TO_CB)
      out[index + halfWidth * halfHeight] = Math.round(512 + (red - luma) * TO_CR)
    }
  }
  return new Uint8Array(out.buffer)
}
