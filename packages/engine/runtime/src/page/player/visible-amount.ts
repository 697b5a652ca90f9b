/** A rectangle in CSS pixels of the window. */
interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const PICTURES = 'img,video,canvas,svg,hr'

const areaOf = ({ left, top, right, bottom }: Box): number => Math.max(0, right - left) * Math.max(0, bottom - top)

const within = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
})

const hasText = ({ childNodes }: Element): boolean =>
  [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())

const isPainted = ({ backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean =>
  backgroundImage !== 'none' || !/^(?:transparent|rgba\(.*, 0\))$/.test(backgroundColor)

/**
 * The visible amount of the root's content: texts, pictures and painted boxes, weighted by visible area and opacity.
 */
export const visibleAmount = (root: Element): number => {
  const frame = root.getBoundingClientRect()
  const amountOf = (element: Element, view: Box, opacity: number): number => {
    const style = getComputedStyle(element)
    const shown = opacity * Number(style.opacity)
    if (style.display === 'none' || shown < 0.01) return 0
    const box = element.getBoundingClientRect()
    const isPicture = element.matches(PICTURES)
    // An element that covers everything is a backdrop.
    const isContent = isPicture || hasText(element) || (isPainted(style) && areaOf(box) < 0.9 * areaOf(frame))
    const part = areaOf(box) > 0 ? areaOf(within(box, view)) / areaOf(box) : 0
    const area = isContent && style.visibility === 'visible' ? part * shown : 0
    const inner = style.overflow === 'visible' ? view : within(box, view)
    const below = isPicture ? [] : [...element.children]
    return below.reduce((sum, child) => sum + amountOf(child, inner, shown), area)
  }
  return [...root.children].reduce((sum, child) => sum + amountOf(child, frame, 1), 0)
}
