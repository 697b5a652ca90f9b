/** How a media element plays its source. */
interface Playback {
  /** Seconds into the source. */
  readonly mediaStart: number
  readonly rate: number
  /** Gain. */
  readonly volume: number
}

const MIN_RATE = 0.1
const MAX_RATE = 5

/** The highest gain: +12 dB. */
export const MAX_GAIN = 3.98

const numberOf = (element: Element, ...names: readonly string[]): number | undefined => {
  const text = names.map((name) => element.getAttribute(name)?.trim()).find(Boolean)
  const value = text ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

/** Reads the playback attributes of an element, clamped to their limits. */
export const readPlayback = (element: Element): Playback => ({
  mediaStart: Math.max(0, numberOf(element, 'data-media-start', 'data-playback-start') ?? 0),
  rate: clamp(numberOf(element, 'data-playback-rate') ?? 1, MIN_RATE, MAX_RATE),
  volume: clamp(numberOf(element, 'data-volume') ?? 1, 0, MAX_GAIN),
})
