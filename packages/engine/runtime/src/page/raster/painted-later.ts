import { natives } from '../realm/natives.ts'

/** Whether an element and its content are painted after everything that is not positioned. */
const isPaintedLater = ({ position, opacity, transform }: CSSStyleDeclaration): boolean =>
  position !== 'static' || opacity !== '1' || transform !== 'none'

const meets = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

const rectsOf = (node: Node): DOMRectList | readonly DOMRect[] => {
  if (node instanceof Element) return node.getClientRects()
  if (!(node instanceof Text)) return []
  const range = document.createRange()
  range.selectNode(node)
  return range.getClientRects()
}

/** Whether a node or its content is painted with the surrounding text and overlaps an area. */
const coversInFlow = (node: Node, area: DOMRect): boolean => {
  if (node instanceof Element && isPaintedLater(natives.getComputedStyle(node))) return false
  const children = [...node.childNodes]
  // The background of a box is painted before its content, and before the surrounding text and images.
  const isPainted = children.length === 0 || natives.getComputedStyle(node as Element).display.startsWith('inline')
  if (isPainted && [...rectsOf(node)].some((rect) => meets(rect, area))) return true
  return children.some((child) => coversInFlow(child, area))
}

/**
 * Whether anything in the flow is painted over an element in the flow: later text and images, up to the
 * nearest ancestor that is painted as a unit.
 */
export const isCoveredInFlow = (element: Element): boolean => {
  const area = element.getBoundingClientRect()
  for (let inside = element; ; ) {
    for (let next = inside.nextSibling; next; next = next.nextSibling) if (coversInFlow(next, area)) return true
    const parent = inside.parentElement
    if (!parent || isPaintedLater(natives.getComputedStyle(parent))) return false
    inside = parent
  }
}

/** Whether a node or its content is painted as a unit and overlaps an area. */
const liesOver = (node: Element, area: DOMRect): boolean =>
  (isPaintedLater(natives.getComputedStyle(node)) && meets(node.getBoundingClientRect(), area)) ||
  [...node.children].some((child) => liesOver(child, area))

/**
 * Whether an element in the flow is under positioned content that comes before it, up to the nearest ancestor that is
 * painted as a unit.
 */
export const isUnderPositioned = (element: Element): boolean => {
  const area = element.getBoundingClientRect()
  for (let inside = element; ; ) {
    for (let before = inside.previousElementSibling; before; before = before.previousElementSibling)
      if (liesOver(before, area)) return true
    const parent = inside.parentElement
    if (!parent || isPaintedLater(natives.getComputedStyle(parent))) return false
    inside = parent
  }
}
