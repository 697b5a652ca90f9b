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

/** The sources that an element may play, in order of preference: paths below the page's origin, or absolute URLs. */
export const sourcesOf = (element: HTMLMediaElement): string[] => {
  const src = element.getAttribute('src')
  const addresses =
    src !== null
      ? [src]
      : [...element.querySelectorAll(':scope>source[src]')].map((source) => source.getAttribute('src') ?? '')
  return addresses
    .filter((address) => address.trim() !== '')
    .flatMap((address) => addressOf(address, element.baseURI) ?? [])
}
