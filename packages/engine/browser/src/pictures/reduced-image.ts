import { decodeScreenshot, encodeFastPng, type RgbaPixels } from './png.ts'

/** Averages squares of `factor` by `factor` pixels; colours count by their alpha. Smaller squares remain at the edges. */
export const reducePixels = ({ width, height, data }: RgbaPixels, factor: number): RgbaPixels => {
  const reduced = { width: Math.ceil(width / factor), height: Math.ceil(height / factor) }
  const averages = new Uint8Array(reduced.width * reduced.height * 4)
  const value = (index: number) => data[index] as number
  for (let top = 0, to = 0; top < height; top += factor)
    for (let left = 0; left < width; left += factor, to += 4) {
      const bottom = Math.min(top + factor, height)
      const right = Math.min(left + factor, width)
      let [red, green, blue, alpha] = [0, 0, 0, 0]
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) {
          const from = (y * width + x) * 4
          const weight = value(from + 3)
          red += value(from) * weight
          green += value(from + 1) * weight
          blue += value(from + 2) * weight
          alpha += weight
        }
      if (alpha === 0) continue
      averages[to] = Math.round(red / alpha)
      averages[to + 1] = Math.round(green / alpha)
      averages[to + 2] = Math.round(blue / alpha)
      averages[to + 3] = Math.round(alpha / ((bottom - top) * (right - left)))
    }
  return { ...reduced, data: averages }
}

/** Reduces images in base64 by a whole factor to PNG files in base64; an image that repeats is reduced once. */
export const createReduction = (factor: number): ((image: string) => string) => {
  if (factor === 1) return (image) => image
  let before = ''
  let reduced = ''
  return (image) => {
    if (image === before) return reduced
    before = image
    reduced = encodeFastPng(reducePixels(decodeScreenshot(Buffer.from(image, 'base64')), factor)).toString('base64')
    return reduced
  }
}
