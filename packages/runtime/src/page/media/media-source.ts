import { natives } from '../natives.ts'
/** How an element plays its source. */
export interface Playback {
  /** Seconds into the source. */
  readonly mediaStart: number
  readonly rate: number
  /** Gain. */
  readonly volume: number
}

const SLOWEST = 0.1
const FASTEST = 5
const LOUDEST = 3.98

const numberOf = (element: Element, ...names: readonly string[]): number | undefined => {
  const text = names.map((name) => element.getAttribute(name)?.trim()).find(Boolean)
  const value = text ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

/** Reads the attributes of an element; what is out of range is brought into it. */
export const readPlayback = (element: Element): Playback => ({
  mediaStart: Math.max(0, numberOf(element, 'data-media-start', 'data-playback-start') ?? 0),
  rate: within(numberOf(element, 'data-playback-rate') ?? 1, SLOWEST, FASTEST),
  volume: within(numberOf(element, 'data-volume') ?? 1, 0, LOUDEST),
})

const addressOf = (src: string, base: string): string | undefined => {
  try {
    const url = new natives.URL(src, base)
    return url.origin === location.origin && /^https?:$/.test(url.protocol)
      ? decodeURIComponent(url.pathname.slice(1))
      : url.href
  } catch {
    return undefined
  }
}

/** The sources that an element may play, the preferred first: paths below the page's origin, or absolute URLs. */
export const sourcesOf = (element: HTMLMediaElement): string[] => {
  const own = element.getAttribute('src')
  const written =
    own !== null
      ? [own]
      : [...element.querySelectorAll(':scope>source[src]')].map((source) => source.getAttribute('src') ?? '')
  return written.filter((src) => src.trim() !== '').flatMap((src) => addressOf(src, element.baseURI) ?? [])
}
