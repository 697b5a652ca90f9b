import type { PageConfig } from '../../contract/page-config.ts'
import { createSheet } from '../document/sheet.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { boxReason, styleReason } from './body-eligibility.ts'
import { elementReason, LAYERED, layerReason } from './element-eligibility.ts'
import type { RasterStage } from './raster-stage.ts'

/** Checks whether the page contains anything that is drawn wrongly in the picture of an element, as measured. */
export interface RasterEligibility {
  /** Why the page as it is now cannot be captured as an element; undefined when it can. */
  check(stage: RasterStage): string | undefined
  /** Number of elements in the page that may change without the browser reporting it. */
  countVolatile(): number
  /** Number of images that may be another one in each frame; all images of image elements count as one. */
  countImages(): number
}

/** A rotation by nothing, which places a canvas correctly as any transform does. */
const PLACED = ':where(canvas){rotate:0deg}'
/** An inline style that has changed needs a check only if it matches. */
const WATCHED_STYLE =
  /preserve|backface|backdrop|matrix3d|perspective|rotate[XY3]|translateZ|translate3d\((?!.*, 0px\))|rotate:|translate:|inherit/
/** Whether an element shows an image, or may have one in a shadow tree. */
const mayShowImage = (element: Element): boolean =>
  element.matches('img,image,input[type=image]') || element.shadowRoot !== null || element.localName.includes('-')

const WATCHED = ['style', 'class', 'width', 'height', 'layoutsubtree', 'open', 'popover', 'sandbox', 'src', 'srcdoc']

/** The elements below which a change may have made the page ineligible. */
const changedRoots = (realm: Realm, records: readonly MutationRecord[]): Element[] =>
  records.flatMap(({ type, target, attributeName, addedNodes }) => {
    const element = target as Element
    if (type !== 'attributes')
      return [...addedNodes]
        .filter((node) => node instanceof realm.Element)
        .map((node) => (/^(style|link)$/.test(node.localName) ? realm.document.body : node))
    const isWatched = attributeName !== 'style' || WATCHED_STYLE.test(element.getAttribute('style') ?? '')
    return isWatched ? [element] : []
  })

/** What the check is told, and tells. */
export interface EligibilityParts {
  /** The elements that animations move. */
  animated(): Iterable<Element>
  /** Whether what a video shows has the size of the video. */
  fits(video: Element): boolean
  /** Called with each element that is checked. */
  look(element: Element): void
}

/** Creates the check; what does not change is checked once. */
export const createRasterEligibility = (
  realm: Realm,
  config: PageConfig,
  { animated, fits, look }: EligibilityParts,
): RasterEligibility => {
  const { document } = realm
  const sheet = createSheet(realm, PLACED)
  const records: MutationRecord[] = []
  const observer = new realm.MutationObserver((list) => records.push(...list))
  let volatile: Element[] = []
  /** Whether an element was found that may show another image in each frame. */
  let hasImages = false
  /** Roots with an ineligible element, or not checked because of one: they are checked again although unchanged. */
  let suspects = new Set<Element>()
  let begun = false

  const findVolatile = () => {
    volatile = [...document.querySelectorAll(`${LAYERED},iframe`)]
  }

  const scan = (root: Element): string | undefined => {
    for (const element of [root, ...root.querySelectorAll('*')]) {
      hasImages ||= mayShowImage(element)
      const reason = elementReason(realm, element)
      if (reason) return reason
      look(element)
    }
    return undefined
  }

  const scanWhole = (body: HTMLElement): string | undefined => {
    const reason = scan(body)
    if (reason !== undefined) suspects.add(body)
    begun = true
    observer.observe(document, { subtree: true, childList: true, attributeFilter: WATCHED })
    findVolatile()
    return reason
  }

  const scanChanges = (): string | undefined => {
    records.push(...observer.takeRecords())
    const roots = new Set([...suspects, ...changedRoots(realm, records.splice(0))])
    suspects = new Set()
    for (const root of roots) {
      const reason = root.isConnected ? scan(root) : undefined
      if (reason) {
        suspects = roots
        return reason
      }
    }
    if (roots.size) findVolatile()
    return undefined
  }

  const animatedReason = (): string | undefined => {
    for (const element of animated()) {
      const reason = element.isConnected ? elementReason(realm, element) : undefined
      if (reason !== undefined) return reason
    }
    return undefined
  }

  return {
    countVolatile: () => volatile.length,
    countImages: () => volatile.length || Number(hasImages),
    check(stage) {
      sheet.attach()
      const html = natives.getComputedStyle(document.documentElement)
      const body = natives.getComputedStyle(stage.body)
      const reason =
        (begun ? undefined : scanWhole(stage.body)) ??
        styleReason(realm) ??
        boxReason(realm, config, html, body) ??
        scanChanges() ??
        animatedReason()
      if (reason !== undefined) return reason
      stage.arrange(body)
      stage.paintBehind(html, body)
      for (const element of volatile) {
        const layered = element.matches(LAYERED) ? layerReason(element, { fits, scale: config.scale ?? 1 }) : undefined
        if (layered !== undefined) return layered
      }
      return undefined
    },
  }
}
