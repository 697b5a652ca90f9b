import { nameOf } from '../document/element-name.ts'
import { natives } from '../realm/natives.ts'
import { ELEMENT_CANVAS } from './element-canvas.ts'
import { isCoveredInFlow } from './painted-later.ts'

/** Elements with a layer of their own, which nothing scales in the picture of an element. */
export const LAYERED = 'canvas,video'

/** Elements with a document of their own. */
const EMBEDDED = 'iframe,object,embed'

/** Elements that may change without the browser reporting it. */
export const VOLATILE = `${LAYERED},${EMBEDDED}`

/**
 * The picture of an element draws a layer where the nearest box with a place of its own begins. A hidden back gives an
 * element such a place and changes nothing else of it: it is no stacking context, and nothing shows its back. The shadow
 * of nothing lets a canvas paint its background by itself, not with its layer.
 */
export const PLACED = `:where(${LAYERED}){backface-visibility:hidden} :where(canvas){box-shadow:0 0 transparent}`

const TOP_LAYER = ':modal,:popover-open,:fullscreen'

/** Whether an element of these shows an image, or what is in it, in place of a document. */
const showsNoDocument = (element: Element): boolean => 'contentWindow' in element && element.contentWindow === null

const documentIn = (element: Element): Document | null =>
  'contentDocument' in element
    ? (element as HTMLIFrameElement).contentDocument
    : (element as HTMLEmbedElement).getSVGDocument()

/** Why an element keeps the page from being captured as an element. */
export const elementReason = (element: Element): string | undefined => {
  if (element.matches(TOP_LAYER)) return `${nameOf(element)} in the top layer`
  if (element.matches(ELEMENT_CANVAS)) return `${nameOf(element)} that draws elements (layoutsubtree)`
  if (element.matches(EMBEDDED) && !showsNoDocument(element)) {
    const inside = documentIn(element)
    if (!inside) return `${nameOf(element)} of another origin`
    if (inside.querySelector(VOLATILE)) return `${nameOf(element)} with a canvas, video or frame in it`
  }
  return undefined
}

const isScaled = (element: Element, { fits, scale }: LayerFacts): boolean => {
  if (element.localName === 'video') return !fits(element)
  const { width, height } = element as HTMLCanvasElement
  const style = natives.getComputedStyle(element)
  return Number.parseFloat(style.width) * scale !== width || Number.parseFloat(style.height) * scale !== height
}

/** What decides whether an element with a layer has the size in which it is captured. */
export interface LayerFacts {
  /** Whether what a video shows has that size. */
  readonly fits: (video: Element) => boolean
  /** Pixels of the picture for each CSS pixel. */
  readonly scale: number
}

/** Below this scale, a browser records layers in a size that is not that of the picture; measured with Chromium 153. */
const MIN_LAYER_SCALE = 0.5

/** Why an element with a layer of its own does so. */
export const layerReason = (element: Element, facts: LayerFacts): string | undefined => {
  if (element.getClientRects().length === 0) return undefined
  if (facts.scale < MIN_LAYER_SCALE) return `${nameOf(element)} at a scale below ${MIN_LAYER_SCALE}`
  const style = natives.getComputedStyle(element)
  if (style.position === 'static' && isCoveredInFlow(element))
    return `${nameOf(element)} under text or images of its surroundings (position: relative is enough)`
  // The picture of a canvas lies at the edge of its box.
  if (element.localName === 'canvas' && `${style.borderWidth}${style.padding}`.replaceAll(/0px| /g, '') !== '')
    return `${nameOf(element)} with a border or padding`
  return isScaled(element, facts) ? `${nameOf(element)} in another size than its own` : undefined
}
