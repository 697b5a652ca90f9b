import type { Adjustments } from './grading-presets.ts'
import type { Grading } from './grading-settings.ts'

export { ADJUSTMENT_LIMITS, type Adjustments, GRADING_PRESETS } from './grading-presets.ts'
export { type Grading, readGrading } from './grading-settings.ts'

/** Red, green and blue, sRGB values from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number]

/** BT.709 weights of the channels in luminance. */
export const LUMA: Colour = [0.2126, 0.7152, 0.0722]

const clamp = (value: number): number => Math.min(1, Math.max(0, value))
const toLinear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const toSrgb = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

/** Gain of each channel in linear light: warmth adds red and removes blue, tint towards magenta removes green. */
const gains = ({ exposure, temperature, tint }: Adjustments): Colour => {
  const light = 2 ** exposure
  return [
    light * (1 + 0.3 * temperature) * (1 + 0.1 * tint),
    light * (1 - 0.2 * tint),
    light * (1 - 0.3 * temperature) * (1 + 0.1 * tint),
  ]
}

/** The curve of one channel: exposure and white balance, then whites and blacks, highlights and shadows, contrast. */
export const toneOf = (adjust: Adjustments, channel: 0 | 1 | 2, value: number): number => {
  const { contrast, highlights, shadows, whites, blacks } = adjust
  const lit = clamp(toSrgb(toLinear(value) * gains(adjust)[channel]))
  const dark = 1 - lit
  const shaped =
    lit + 0.15 * (whites * lit ** 3 + blacks * dark ** 3) + lit * dark * (highlights * lit + shadows * dark)
  return clamp(0.5 + (shaped - 0.5) * (1 + 0.8 * contrast))
}

/** Weights that move a colour away from its grey (above 1) or towards it (below). */
export const saturationMatrix = (amount: number): readonly Colour[] =>
  [0, 1, 2].map((row) => {
    const weight = (column: 0 | 1 | 2) => LUMA[column] * (1 - amount) + (row === column ? amount : 0)
    return [weight(0), weight(1), weight(2)] as const
  })

const saturate = (colour: Colour, amount: number): Colour => {
  const [red, green, blue] = saturationMatrix(amount).map((weights) =>
    clamp(weights[0] * colour[0] + weights[1] * colour[1] + weights[2] * colour[2]),
  )
  return [red ?? 0, green ?? 0, blue ?? 0]
}

const mix = (from: Colour, to: Colour, share: number): Colour => {
  const mixed = (channel: 0 | 1 | 2) => from[channel] + (to[channel] - from[channel]) * share
  return [mixed(0), mixed(1), mixed(2)]
}

/** Applies a grading to a colour; the page's filters compute the same with 8 bits. */
export const gradeColour = ({ intensity, adjust }: Grading, colour: Colour): Colour => {
  const toned: Colour = [toneOf(adjust, 0, colour[0]), toneOf(adjust, 1, colour[1]), toneOf(adjust, 2, colour[2])]
  const saturated = saturate(toned, 1 + adjust.saturation)
  // Vibrance affects saturated colours less.
  const spread = Math.max(...saturated) - Math.min(...saturated)
  const vibrant = mix(saturated, saturate(saturated, 1 + adjust.vibrance), 1 - spread)
  return mix(colour, vibrant, intensity)
}
