/** Luminance of SDR white in an HDR picture, cd/m², as ITU-R BT.2408 recommends for graphics. */
export const SDR_WHITE_NITS = 203

const M1 = 2610 / 16384
const M2 = (2523 / 4096) * 128
const C1 = 3424 / 4096
const C2 = (2413 / 4096) * 32
const C3 = (2392 / 4096) * 32

/** Luminance in cd/m² of a SMPTE ST 2084 (PQ) signal from 0 to 1. */
export const pqToNits = (signal: number): number => {
  const power = signal ** (1 / M2)
  return 10_000 * (Math.max(power - C1, 0) / (C2 - C3 * power)) ** (1 / M1)
}

/** SMPTE ST 2084 (PQ) signal of a luminance in cd/m². */
export const nitsToPq = (nits: number): number => {
  const power = Math.min(1, Math.max(0, nits / 10_000)) ** M1
  return ((C1 + C2 * power) / (1 + C3 * power)) ** M2
}

const A = 0.17883277
const B = 0.28466892
const C = 0.55991073

/** Scene-linear value, 0 to 1, of a BT.2100 HLG signal. */
export const hlgToScene = (signal: number): number =>
  signal <= 0.5 ? (signal * signal) / 3 : (Math.exp((signal - C) / A) + B) / 12

/** BT.2100 HLG signal of a scene-linear value. */
export const sceneToHlg = (scene: number): number =>
  scene <= 1 / 12 ? Math.sqrt(3 * Math.max(0, scene)) : A * Math.log(12 * Math.min(1, scene) - B) + C

/** Linear value of an sRGB signal, where 1 is white; not limited to 1. */
export const srgbToLinear = (signal: number): number =>
  signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4

/** sRGB signal of a linear value, where 1 is white; not limited to 1. */
export const linearToSrgb = (linear: number): number =>
  linear <= 0.0031308 ? Math.max(0, linear) * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055

/** Red, green and blue of one pixel, as linear values or as signals. */
export type Rgb = readonly [number, number, number]

/** Luminance of a linear bt2020 colour. */
export const luminance2020 = ([r, g, b]: Rgb): number => 0.2627 * r + 0.678 * g + 0.0593 * b

/** Peak luminance of the reference display for HLG, cd/m². */
export const HLG_PEAK_NITS = 1000
/** System gamma of that display. */
const HLG_GAMMA = 1.2

/** Scene-linear bt2020 colours as cd/m² on the reference display. */
export const sceneToNits = (scene: Rgb): Rgb => {
  const gain = HLG_PEAK_NITS * luminance2020(scene) ** (HLG_GAMMA - 1)
  return [scene[0] * gain, scene[1] * gain, scene[2] * gain]
}

/** Factor from display-linear to scene-linear HLG for a luminance given as a share of the display's peak. */
export const sceneGain = (luminance: number): number => (luminance > 0 ? luminance ** (1 / HLG_GAMMA - 1) : 0)

/** Converts a linear colour from bt709 to bt2020 primaries. */
export const to2020 = ([r, g, b]: Rgb): Rgb => [
  0.627404 * r + 0.329283 * g + 0.043313 * b,
  0.069097 * r + 0.91954 * g + 0.011362 * b,
  0.016391 * r + 0.088013 * g + 0.895595 * b,
]

/** Converts a linear colour from bt2020 to bt709 primaries; one outside bt709 gets a negative component. */
export const to709 = ([r, g, b]: Rgb): Rgb => [
  1.660491 * r - 0.587641 * g - 0.07285 * b,
  -0.12455 * r + 1.1329 * g - 0.008349 * b,
  -0.018151 * r - 0.100579 * g + 1.11873 * b,
]

/**
 * Maps a luminance from a source with the given peak to a display of `SDR_WHITE_NITS`, with the roll-off of BT.2390:
 * dark and middle tones stay unchanged.
 */
export const toneMap = (nits: number, peak: number): number => {
  const peakSignal = nitsToPq(peak)
  const maxSignal = nitsToPq(SDR_WHITE_NITS) / peakSignal
  const knee = 1.5 * maxSignal - 0.5
  const signal = Math.min(1, nitsToPq(nits) / peakSignal)
  if (peak <= SDR_WHITE_NITS || signal <= knee) return Math.min(nits, SDR_WHITE_NITS)
  const t = (signal - knee) / (1 - knee)
  const t2 = t * t
  const t3 = t * t * t
  const level = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * maxSignal
  return pqToNits(level * peakSignal)
}
