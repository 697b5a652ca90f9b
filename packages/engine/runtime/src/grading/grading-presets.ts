/** The corrections that a grading can make: `exposure` in stops, -2 to 2, all others -1 to 1; 0 changes nothing. */
export interface Adjustments {
  readonly exposure: number
  readonly contrast: number
  readonly highlights: number
  readonly shadows: number
  readonly whites: number
  readonly blacks: number
  readonly temperature: number
  readonly tint: number
  readonly vibrance: number
  readonly saturation: number
}

/** The largest absolute value of each correction. */
export const ADJUSTMENT_LIMITS: Adjustments = {
  exposure: 2,
  contrast: 1,
  highlights: 1,
  shadows: 1,
  whites: 1,
  blacks: 1,
  temperature: 1,
  tint: 1,
  vibrance: 1,
  saturation: 1,
}

/** The corrections of each preset. */
export const GRADING_PRESETS: Readonly<Record<string, Partial<Adjustments>>> = {
  neutral: {},
  'warm-daylight': {
    exposure: 0.1,
    contrast: 0.08,
    highlights: -0.1,
    temperature: 0.3,
    tint: 0.04,
    vibrance: 0.15,
  },
  'clean-studio': { exposure: 0.15, contrast: 0.1, shadows: 0.15, whites: 0.15, saturation: -0.05 },
  'mono-clean': { contrast: 0.12, whites: 0.1, saturation: -1 },
  'vintage-wash': {
    contrast: -0.2,
    highlights: -0.15,
    blacks: 0.4,
    temperature: 0.2,
    tint: 0.05,
    saturation: -0.3,
  },
  'deep-contrast': { contrast: 0.35, whites: 0.1, blacks: -0.3, vibrance: 0.1 },
}
