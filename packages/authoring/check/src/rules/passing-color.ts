import { contrastRatio } from '../facts/contrast-ratio.ts'
import { hex, luminanceOf } from '../facts/picture-grid.ts'

const channels = (color: string): [number, number, number] => {
  const number = Number.parseInt(color.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

const STEPS = 64

/** The colour nearest to one, on the way to white or to black, that has a ratio to a background; null where none has. */
export const passingColor = (color: string, background: string, ratio: number): string | null => {
  const from = channels(color)
  const behind = luminanceOf(...channels(background))
  for (let step = 0; step <= STEPS; step++)
    for (const end of [255, 0]) {
      const [red = 0, green = 0, blue = 0] = from.map((value) => Math.round(value + ((end - value) * step) / STEPS))
      if (contrastRatio(luminanceOf(red, green, blue), behind) >= ratio) return hex(red, green, blue)
    }
  return null
}
