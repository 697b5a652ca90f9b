import type { ReportedElement } from '../page-report.ts'

/** Selects every timed element, as the page script does. */
const TIMED = '[data-start],[data-composition-src]'

/** Longest text of an element that is reported. */
const MAX_TEXT = 120

/** Reads where elements stand in the tree; the children of each element are counted once. */
const createKeys = () => {
  const places = new Map<Element, ReadonlyMap<Element, number>>()
  const placeIn = (parent: Element, child: Element): number => {
    const children = places.get(parent) ?? new Map([...parent.children].map((each, index) => [each, index]))
    places.set(parent, children)
    return children.get(child) ?? 0
  }
  return (element: Element): string => {
    const parts: number[] = []
    for (let node: Element | null = element; node?.parentElement; node = node.parentElement)
      parts.push(placeIn(node.parentElement, node))
    return parts.reverse().join('.')
  }
}

/** The element at a place in the tree; undefined where there is none. */
export const elementAtKey = (key: string): Element | undefined => {
  let element: Element | undefined = document.documentElement
  for (const part of key.split('.')) element = element?.children[Number(part)]
  return element
}

/** An element as a selector would write it. */
export const selectorOf = (element: Element): string => {
  const [first] = element.classList
  if (element.id) return `#${element.id}`
  if (first !== undefined) return `.${first}`
  // Shapes of a drawing, such as those of Lottie, have no names of their own.
  const around = element instanceof SVGElement ? element.closest('[id]') : null
  return around ? `#${around.id} ${element.localName}` : element.localName
}

/** The text that stands in an element directly. */
export const ownText = (element: Element): string => {
  let text = ''
  for (let node = element.firstChild; node && text.length < 4 * MAX_TEXT; node = node.nextSibling)
    if (node.nodeType === Node.TEXT_NODE) text += `${(node as Text).data.slice(0, 4 * MAX_TEXT)} `
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT)
}

const ignoresOf = (element: Element): ReportedElement['ignores'] => {
  const ignores: { rules: string; reason: string }[] = []
  for (
    let node = element.closest('[data-check-ignore]');
    node;
    node = node.parentElement?.closest('[data-check-ignore]') ?? null
  )
    ignores.push({
      rules: node.getAttribute('data-check-ignore') ?? '',
      reason: node.getAttribute('data-check-reason') ?? '',
    })
  return ignores
}

/** Numbers the elements of the page in the order in which something is known of them. */
export const createElements = () => {
  const numbers = new WeakMap<Element, number>()
  let count = 0
  let fresh: ReportedElement[] = []
  const timed = () => [...document.querySelectorAll(TIMED)]
  /** Positions of timed elements, read once for each frame. */
  let order: ReadonlyMap<Element, number> | undefined
  let keyOf = createKeys()
  const positionOf = (clip: Element): number | null => {
    order ??= new Map(timed().map((element, index) => [element, index]))
    return order.get(clip) ?? null
  }
  const report = (element: Element): ReportedElement => {
    const clip = element.closest(TIMED)
    return {
      key: keyOf(element),
      selector: selectorOf(element),
      tag: element.localName,
      id: element.id,
      classes: [...element.classList],
      text:
        ownText(element) ||
        (element.textContent ?? '')
          .slice(0, 4 * MAX_TEXT)
          .replace(/\s+/g, ' ')
          .trim()
          .slice(0, MAX_TEXT),
      clip: clip ? positionOf(clip) : null,
      ignores: ignoresOf(element),
    }
  }
  /** Forgets where elements stood in the frame before. */
  const nextFrame = () => {
    order = undefined
    keyOf = createKeys()
  }
  return {
    timed,
    nextFrame,
    clipOf: (element: Element) => element.closest(TIMED),
    numberOf(element: Element): number {
      const number = numbers.get(element)
      if (number !== undefined) return number
      numbers.set(element, count)
      fresh.push(report(element))
      count += 1
      return count - 1
    },
    /** The elements that were numbered since the last call. */
    takeFresh(): readonly ReportedElement[] {
      const taken = fresh
      fresh = []
      nextFrame()
      return taken
    },
  }
}

export type PageElements = ReturnType<typeof createElements>
