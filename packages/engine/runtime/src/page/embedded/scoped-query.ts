/** Finds elements of one instance as if its box were a whole document. */
export interface ScopedQuery {
  readonly host: Element
  all(selector: string): NodeListOf<Element>
  one(selector: string): Element | null
}

const OPAQUE = /\[[^\]]*\]|"[^"]*"|'[^']*'/
const BOX_NAME = /(?<![\w.#:-])(?:html|body)(?![\w-])|:root(?![\w-])/gi

const outsideStrings = (selector: string, change: (part: string) => string): string =>
  selector
    .split(new RegExp(`(${OPAQUE.source})`))
    .map((part, index) => (index % 2 ? part : change(part)))
    .join('')

/** Rewrites a selector so that `html`, `body` and `:root` match the box that stands for all three. */
export const boxSelector = (selector: string, box: string): string => {
  const named = outsideStrings(selector, (part) => part.replace(BOX_NAME, () => box))
  const doubled = `${box}\\s*>?\\s*${box}`.replaceAll(/[[\]"]/g, '\\$&')
  return named.replaceAll(new RegExp(doubled, 'g'), box)
}

/** Makes the authored ids of a selector also match elements that were given another id in the page. */
const widenIds = (selector: string, renamed: readonly string[]): string =>
  renamed.reduce((text, id) => {
    const selector = `#${CSS.escape(id)}`
    const pattern = new RegExp(`${selector.replaceAll(/[^\w#-]/g, '\\$&')}(?![\\w-])`, 'g')
    return outsideStrings(text, (part) =>
      part.replace(pattern, () => `:is(${selector},[data-vid-id="${CSS.escape(id)}"])`),
    )
  }, selector)

/** The host of an instance of the page. */
export const findHost = (instance: string): Element | null =>
  document.querySelector(`[data-vid-instance="${CSS.escape(instance)}"]`)

/** Queries of an instance: they search inside its host, but not inside instances embedded in it. */
export const createScopedQuery = (host: Element, instance: string): ScopedQuery => {
  const box = `[data-vid-instance="${instance}"]`
  const renamed = () =>
    [...host.querySelectorAll('[data-vid-id]')].map((element) => element.getAttribute('data-vid-id') ?? '')
  const limit = (selector: string) => {
    const widened = widenIds(boxSelector(selector, box), selector.includes('#') ? renamed() : [])
    // Throws for an invalid selector, which `:is()` would ignore.
    host.matches(widened)
    const inside = !widened.includes(box) ? `${box} *` : `:is(${box},${box} *)`
    return `:is(${widened}):is(${inside}):not(${box} [data-vid-instance] *)`
  }
  const around = () => host.parentElement ?? host
  return {
    host,
    all: (selector) => around().querySelectorAll(limit(String(selector))),
    one: (selector) => around().querySelector(limit(String(selector))),
  }
}
