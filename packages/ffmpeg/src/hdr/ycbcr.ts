/** Pixels of a picture. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Shares of luma, bt2020 non-constant luminance, and the reach of the two differences of colour. */
const [KR, KG, KB] = [0.2627, 0.678, 0.0593]
const [TO_CB, TO_CR] = [896 / (2 * (1 - KB)) / 65_535, 896 / (2 * (1 - KR)) / 65_535]
const TO_LUMA = 876 / 65_535

/**
 * Limited-range bt2020 `yuv420p10`, little-endian, of signals of 16 bits. ffmpeg's scaler would do, but its results
 * lie up to two steps too high, and differ between versions. Chroma lies on the left pixel of two, as players expect.
 */
export const toYuv = (rgb: Uint16Array, { width, height }: PictureSize): Uint8Array => {
  const [halfWidth, halfHeight] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const chroma = width * height
  const out = new Uint16Array(chroma + 2 * halfWidth * halfHeight)
  const lumaAt = (at: number) => KR * (rgb[at] ?? 0) + KG * (rgb[at + 1] ?? 0) + KB * (rgb[at + 2] ?? 0)
  for (let pixel = 0; pixel < chroma; pixel++) out[pixel] = Math.round(64 + lumaAt(pixel * 3) * TO_LUMA)
  for (let row = 0; row < halfHeight; row++) {
    const rows = [row * 2, Math.min(row * 2 + 1, height - 1)]
    for (let column = 0; column < halfWidth; column++) {
      const x = column * 2
      let [red, green, blue] = [0, 0, 0]
      for (const y of rows)
        for (let near = -1; near <= 1; near++) {
          const weight = near === 0 ? 0.25 : 0.125
          const at = (y * width + Math.min(width - 1, Math.max(0, x + near))) * 3
          red += weight * (rgb[at] ?? 0)
          green += weight * (rgb[at + 1] ?? 0)
          blue += weight * (rgb[at + 2] ?? 0)
        }
      const luma = KR * red + KG * green + KB * blue
      const at = chroma + row * halfWidth + column
      out[at] = Math.round(512 + (blue - luma) * TO_CB)
      out[at + halfWidth * halfHeight] = Math.round(512 + (red - luma) * TO_CR)
    }
  }
  return new Uint8Array(out.buffer)
}
