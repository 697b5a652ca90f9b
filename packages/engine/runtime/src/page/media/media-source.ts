import { natives } from '../realm/natives.ts'

/** A source as it is named outside of the page: a path below its origin, or an absolute URL. */
export const addressOf = (src: string, base: string): string | undefined => {
  try {
    const url = new natives.URL(src, base)
    return url.origin === location.origin && /^https?:$/.test(url.protocol)
      ? decodeURIComponent(url.pathname.slice(1))
      : url.href
  } catch {
    return undefined
  }
}

/** Types that only browsers with licensed codecs know; vid decodes them anywhere. */
const LICENSED = /^(?:video|audio)\/(?:mp4|x-m4[av]|m4a|quicktime|mpeg|mp3|aac|x-matroska|3gpp2?)\b/i

/** Whether a browser would take a source: its media query matches, and its type is known. */
const isTaken = (element: HTMLMediaElement, source: Element): boolean => {
  const media = source.getAttribute('media')
  const type = source.getAttribute('type')?.trim() ?? ''
  if (media !== null && element.ownerDocument.defaultView?.matchMedia(media).matches === false) return false
  return type === '' || LICENSED.test(type) || element.canPlayType(type) !== ''
}

/** The addresses of the `<source>` elements that a browser would take; of all of them, if it would take none. */
const listedSources = (element: HTMLMediaElement): string[] => {
  const sources = [...element.querySelectorAll(':scope>source[src]')]
  const taken = sources.filter((source) => isTaken(element, source))
  return (taken.length > 0 ? taken : sources).map((source) => source.getAttribute('src') ?? '')
}

/** The sources that an element may play, in order of preference: paths below the page's origin, or absolute URLs. */
export const sourcesOf = (element: HTMLMediaElement): string[] => {
  const src = element.getAttribute('src')
  return (src !== null ? [src] : listedSources(element))
    .filter((address) => address.trim() !== '')
    .flatMap((address) => addressOf(address, element.baseURI) ?? [])
}
