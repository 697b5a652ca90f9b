/** Light of SDR white in HDR, cd/m², as ITU-R BT.2408 places graphics. */
export const WHITE = 203

const [M1, M2] = [2610 / 16384, (2523 / 4096) * 128]
const [C1, C2, C3] = [3424 / 4096, (2413 / 4096) * 32, (2392 / 4096) * 32]

/** cd/m² of a SMPTE ST 2084 signal of 0 … 1. */
export const pqToNits = (signal: number): number => {
  const power = signal ** (1 / M2)
  return 10_000 * (Math.max(power - C1, 0) / (C2 - C3 * power)) ** (1 / M1)
}

/** SMPTE ST 2084 signal of a light in cd/m². */
export const nitsToPq = (nits: number): number => {
  const power = Math.min(1, Math.max(0, nits / 10_000)) ** M1
  return ((C1 + C2 * power) / (1 + C3 * power)) ** M2
}

const [A, B, C] = [0.17883277, 0.28466892, 0.55991073]

/** Light of the scene, 0 … 1, of a BT.2100 HLG signal. */
export const hlgToScene = (signal: number): number =>
  signal <= 0.5 ? (signal * signal) / 3 : (Math.exp((signal - C) / A) + B) / 12

/** BT.2100 HLG signal of a light of the scene. */
export const sceneToHlg = (scene: number): number =>
  scene <= 1 / 12 ? Math.sqrt(3 * Math.max(0, scene)) : A * Math.log(12 * Math.min(1, scene) - B) + C

/** Light of an sRGB signal as a share of white; goes on above 1. */
export const srgbToLinear = (signal: number): number =>
  signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4

/** sRGB signal of a light as a share of white; goes on above 1. */
export const linearToSrgb = (light: number): number =>
  light <= 0.0031308 ? Math.max(0, light) * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055

/** Red, green and blue light. */
export type Light = readonly [number, number, number]

/** Luminance of bt2020 light. */
export const luminance2020 = ([r, g, b]: Light): number => 0.2627 * r + 0.678 * g + 0.0593 * b

/** Peak of the display that HLG is looked at with, cd/m², and the exponent of its system curve. */
export const HLG_PEAK = 1000
const HLG_GAMMA = 1.2

/** cd/m² on a display of 1000 cd/m² of bt2020 light of a scene. */
export const sceneToNits = (scene: Light): Light => {
  const gain = HLG_PEAK * luminance2020(scene) ** (HLG_GAMMA - 1)
  return [scene[0] * gain, scene[1] * gain, scene[2] * gain]
}

/** What turns light on the display, as a share of its peak, to light of the scene, by its luminance. */
export const sceneGain = (luminance: number): number => (luminance > 0 ? luminance ** (1 / HLG_GAMMA - 1) : 0)

/** Light of bt709 primaries in bt2020 primaries. */
export const to2020 = ([r, g, b]: Light): Light => [
  0.627404 * r + 0.329283 * g + 0.043313 * b,
  0.069097 * r + 0.91954 * g + 0.011362 * b,
  0.016391 * r + 0.088013 * g + 0.895595 * b,
]

/** Light of bt2020 primaries in bt709 primaries; what those cannot show has a negative part. */
export const to709 = ([r, g, b]: Light): Light => [
  1.660491 * r - 0.587641 * g - 0.07285 * b,
  -0.12455 * r + 1.1329 * g - 0.008349 * b,
  -0.018151 * r - 0.100579 * g + 1.11873 * b,
]

/**
 * What a display of `WHITE` cd/m² shows of a light on one of `peak`: BT.2390's roll-off, which leaves dark and
 * middle tones alone.
 */
export const toneMap = (nits: number, peak: number): number => {
  const whole = nitsToPq(peak)
  const most = nitsToPq(WHITE) / whole
  const knee = 1.5 * most - 0.5
  const signal = Math.min(1, nitsToPq(nits) / whole)
  if (peak <= WHITE || signal <= knee) return Math.min(nits, WHITE)
  const t = (signal - knee) / (1 - knee)
  const [t2, t3] = [t * t, t * t * t]
  const rolled = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * most
  return pqToNits(rolled * whole)
}
