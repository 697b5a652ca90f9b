import { nameOf } from '../document/element-name.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { ELEMENT_CANVAS } from './element-canvas.ts'
import { paints } from './raster-stage.ts'

/** Elements with a layer of their own: only a transform places it correctly, and nothing scales it. */
export const LAYERED = 'canvas,video,object,embed'

const TOP_LAYER = ':modal,:popover-open,:fullscreen'

/** Why an element keeps the page from being captured as an element. */
export const elementReason = (realm: Realm, element: Element): string | undefined => {
  if (element.matches(TOP_LAYER)) return `${nameOf(element)} in the top layer`
  if (element.matches(ELEMENT_CANVAS)) return `${nameOf(element)} that draws elements (layoutsubtree)`
  if (element instanceof realm.HTMLIFrameElement) {
    const inside = element.contentDocument
    if (!inside) return `${nameOf(element)} of another origin`
    if (inside.querySelector(`${LAYERED},iframe`)) return `${nameOf(element)} with a canvas, video or frame in it`
  }
  return undefined
}

const isMoved = (element: Element): boolean => {
  const { left, top } = element.getBoundingClientRect()
  const { transform, rotate, position } = natives.getComputedStyle(element)
  // Among boxes that are not positioned, a transform would also change the stacking order.
  if (transform !== 'none' || (rotate !== 'none' && position !== 'static')) return false
  for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement)
    if (natives.getComputedStyle(ancestor).transform !== 'none') return true
  return left !== 0 || top !== 0
}

const isScaled = (element: Element, { fits, scale }: LayerFacts): boolean => {
  if (element.localName === 'video') return !fits(element)
  if (element.localName !== 'canvas') return true
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
  if (isMoved(element))
    return `${nameOf(element)} that is placed without a transform (translate(0) beside its place is enough)`
  const style = natives.getComputedStyle(element)
  if (paints(style) || `${style.borderWidth}${style.padding}`.replaceAll(/0px| /g, '') !== '')
    return `${nameOf(element)} with a background, border or padding`
  return isScaled(element, facts) ? `${nameOf(element)} in another size than its own` : undefined
}
