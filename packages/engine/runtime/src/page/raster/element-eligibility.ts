import { nameOf } from '../document/element-name.ts'
import { natives } from '../realm/natives.ts'
import { ELEMENT_CANVAS } from './element-canvas.ts'
import { isCoveredInFlow } from './painted-later.ts'

/** Elements with a separate layer, which is not scaled in the picture of an element. */
export const LAYERED = 'canvas,video'

/** Elements with a document of their own. */
const EMBEDDED = 'iframe,object,embed'

/** Elements that may change without the browser reporting it. */
export const VOLATILE = `${LAYERED},${EMBEDDED}`

/**
 * The picture of an element draws a layer at the origin of the nearest box with its own transform node. A hidden back
 * gives an element such a node without other effects: it creates no stacking context, and nothing shows its back. The
 * empty shadow makes a canvas paint its background separately from its layer. Chromium 153 crashes when it paints such a
 * layer in a box that is only scaled and paints nothing itself, so the boxes around get an empty shadow too; where a box has
 * no size, a shadow needs a spread to be painted.
 */
export const PLACED = `:where(${LAYERED}){backface-visibility:hidden}
  :where(canvas){box-shadow:0 0 transparent} :where(body :has(${LAYERED})){box-shadow:0 0 0 0.02px transparent}`

/** Elements above the whole document. */
export const TOP_LAYER = ':modal,:popover-open,:fullscreen'

/** Whether an element is in the top layer, which it may leave later than it is closed. */
export const isRaised = (element: Element): boolean =>
  element.matches(TOP_LAYER) || natives.getComputedStyle(element).getPropertyValue('overlay') === 'auto'

/** Elements that a script may change in ways that no attribute or style shows. */
export const ALWAYS = `${TOP_LAYER},${ELEMENT_CANVAS},${EMBEDDED}`

/** The reason why an element in the top layer prevents capturing the page as an element. */
export const topLayerReason = (element: Element): string => `${nameOf(element)} in the top layer`

/** Whether one of these elements shows an image or its fallback content instead of a document. */
const showsNoDocument = (element: Element): boolean => 'contentWindow' in element && element.contentWindow === null

const documentIn = (element: Element): Document | null =>
  'contentDocument' in element
    ? (element as HTMLIFrameElement).contentDocument
    : (element as HTMLEmbedElement).getSVGDocument()

/**
 * What may open above the document of a frame. Chromium 153 crashes when it is animated there in the picture of an element,
 * before anything could look at it.
 */
const MAY_RISE = 'dialog,[popover],:fullscreen'

/** Lists a document and its shadow trees. */
export type TreesIn = (document: Document) => readonly (Document | ShadowRoot)[]

/** The elements of the document in an element that match a selector; none where there is no document that can be read. */
const elementsInside = (element: Element, selector: string, treesIn: TreesIn): Element[] => {
  const inside = element.matches(EMBEDDED) ? documentIn(element) : null
  return inside ? treesIn(inside).flatMap((tree) => [...tree.querySelectorAll(selector)]) : []
}

/** The reason why an element prevents capturing the page as an element. */
export const elementReason = (element: Element, treesIn: TreesIn): string | undefined => {
  if (element.matches(TOP_LAYER)) return topLayerReason(element)
  if (element.matches(ELEMENT_CANVAS)) return `${nameOf(element)} that draws elements (layoutsubtree)`
  if (element.matches(EMBEDDED) && !showsNoDocument(element)) {
    if (!documentIn(element)) return `${nameOf(element)} of another origin`
    if (elementsInside(element, VOLATILE, treesIn).length > 0)
      return `${nameOf(element)} with a canvas, video or frame in it`
    if (elementsInside(element, MAY_RISE, treesIn).length > 0)
      return `${nameOf(element)} with a dialog or popover in it`
  }
  return undefined
}

/** The facts that determine whether an element with a layer has its captured size. */
export interface LayerFacts {
  /** Whether a video's picture has that size. */
  readonly fits: (video: Element) => boolean
  /** Pixels of the picture for each CSS pixel. */
  readonly scale: number
}

/** Below this scale, a browser records layers in a size that is not that of the picture; measured with Chromium 153. */
const MIN_LAYER_SCALE = 0.5

/** The reason why an element with a separate layer prevents it. */
export const layerReason = (element: Element, facts: LayerFacts): string | undefined => {
  if (element.getClientRects().length === 0) return undefined
  if (facts.scale < MIN_LAYER_SCALE) return `${nameOf(element)} at a scale below ${MIN_LAYER_SCALE}`
  const style = natives.getComputedStyle(element)
  if (style.position === 'static' && isCoveredInFlow(element))
    return `${nameOf(element)} under text or images of its surroundings (position: relative is enough)`
  const isOtherSize = element.localName === 'video' && !facts.fits(element)
  return isOtherSize ? `${nameOf(element)} in another size than its own` : undefined
}
