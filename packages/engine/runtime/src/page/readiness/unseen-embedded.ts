import { nameOf } from '../document/element-name.ts'
import { chainOf } from '../document/flat-tree.ts'
import { firstNumber } from '../document/time-attributes.ts'
import type { TimeWindow, TimeWindows } from '../document/windows.ts'
import type { Instances } from '../embedded/instances.ts'
import { natives } from '../realm/natives.ts'
import { mayChange, type SightParts, styleReason } from './unseen-root.ts'

/** The facts that determine whether an embedded file is ever visible. */
export interface EmbeddedSightParts extends SightParts {
  readonly instances: Instances
}

/** Elements that a browser draws as a picture, or whose content may be anything. */
const PICTURES = 'canvas,embed,iframe,img,input,button,select,textarea,object,svg,math,video,progress,meter,hr,fieldset'

const hasText = (element: Element): boolean =>
  !element.matches('script,style,noscript,title') &&
  [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '')

const CLEAR = /^rgba\(.*, 0\)$|^transparent$/

const isDecorated = (style: CSSStyleDeclaration): boolean =>
  !CLEAR.test(style.backgroundColor) ||
  style.backgroundImage !== 'none' ||
  style.boxShadow !== 'none' ||
  style.borderImageSource !== 'none' ||
  [style.borderTopWidth, style.borderRightWidth, style.borderBottomWidth, style.borderLeftWidth].some(
    (width) => Number.parseFloat(width) > 0,
  ) ||
  style.outlineStyle !== 'none' ||
  (style.display === 'list-item' && style.listStyleType !== 'none') ||
  (style.getPropertyValue('backdrop-filter') || 'none') !== 'none'

const hasPseudo = (element: Element): boolean =>
  ['::before', '::after'].some((name) => {
    const { content } = natives.getComputedStyle(element, name)
    return content !== 'none' && content !== 'normal'
  })

/** Whether an element has visible content of its own, hidden or not. */
const hasPicture = (element: Element): boolean =>
  element.matches(PICTURES) ||
  element.shadowRoot !== null ||
  element.localName.includes('-') ||
  hasText(element) ||
  isDecorated(natives.getComputedStyle(element)) ||
  hasPseudo(element)

/** Whether only its timing hides an element now. */
const isShown = (element: Element): boolean =>
  element.getClientRects().length > 0 &&
  styleReason(chainOf(element)) === undefined &&
  (natives.getComputedStyle(element).visibility === 'visible' || element.closest('[data-vid-window]') !== null)

/** The time in which an element and all its timed ancestors are shown. */
const timeOf = (element: Element, windows: TimeWindows): TimeWindow =>
  chainOf(element)
    .flatMap((element) => windows.of.get(element) ?? [])
    .reduce((all, { start, end }) => ({ start: Math.max(all.start, start), end: Math.min(all.end, end) }), {
      start: 0,
      end: Infinity,
    })

const timeReason = ({ start, end }: TimeWindow, length: number): string | undefined => {
  if (start >= length - 1e-6) return `it starts at ${start} s, and the composition ends at ${length} s`
  return end <= start ? 'the time in which it is on is empty' : undefined
}

const contentReason = (page: EmbeddedSightParts, host: Element, isStateful: boolean): string | undefined => {
  const inside = [host, ...host.querySelectorAll('*')]
  const isSilent = host.querySelector('audio') === null
  let hidden: Element | undefined
  for (const element of inside) {
    if (!hasPicture(element)) continue
    if (isShown(element) || mayChange(page, isStateful, chainOf(element))) return undefined
    hidden ??= element
  }
  if (hidden) return styleReason(chainOf(hidden)) ?? `everything in it is hidden, as is ${nameOf(hidden)}`
  const hasScripts = page.instances.list().some((instance) => instance.host === host)
  const mayFill = hasScripts && mayChange(page, isStateful, inside)
  return isSilent && !mayFill ? 'it has no text, no picture and no background' : undefined
}

/** An embedded file that shows nothing at any time. */
export interface UnseenEmbedded {
  /** Start tag of the element that embeds it. */
  readonly element: string
  /** As it is written. */
  readonly src: string
  /** A description of the reason. */
  readonly reason: string
}

/** The embedded files that show nothing at any time; `seconds` is the length of the composition. */
export const findUnseenEmbedded = (
  page: EmbeddedSightParts,
  windows: TimeWindows,
  { seconds, isStateful }: { readonly seconds: number; readonly isStateful: boolean },
): UnseenEmbedded[] => {
  const unseen = new Map<Element, UnseenEmbedded>()
  for (const host of document.querySelectorAll('[data-vid-instance]')) {
    // Files embedded in an invisible one need no separate report.
    if (chainOf(host).some((ancestor) => unseen.has(ancestor))) continue
    const reason = timeReason(timeOf(host, windows), seconds) ?? contentReason(page, host, isStateful)
    const src = host.getAttribute('data-composition-src') ?? ''
    if (reason !== undefined) unseen.set(host, { element: nameOf(host), src, reason })
  }
  return [...unseen.values()]
}

/** Length of the composition in seconds: declared by its root, or else from the page's content. */
export const compositionSeconds = (root: Element | null, duration: number | null): number =>
  firstNumber(root, 'data-duration', 'data-end') ?? duration ?? Infinity
