import { natives } from '../realm/natives.ts'
import { isIn } from './flat-tree.ts'

/** Pushes an element onto its stack of ancestors; returns how many of the earlier elements contain it. */
const depthIn = (stack: HTMLElement[], child: HTMLElement): number => {
  while (stack.length > 0 && !isIn(child, stack.at(-1))) stack.pop()
  return stack.push(child) - 1
}

/** Groups elements in document order by depth, so that ancestors are placed before their descendants. */
const levelsOf = (children: readonly HTMLElement[]): HTMLElement[][] => {
  const levels: HTMLElement[][] = []
  const stack: HTMLElement[] = []
  for (const child of children) {
    const depth = depthIn(stack, child)
    const level = levels[depth] ?? []
    levels[depth] = level
    level.push(child)
  }
  return levels
}

/**
 * Which elements have authored anchors: computed offsets of an absolute box are always lengths, those of a static one
 * keep `auto`.
 */
const findAnchored = (children: readonly HTMLElement[]): Set<HTMLElement> => {
  const inline = children.map(({ style }) => ({
    value: style.getPropertyValue('position'),
    priority: style.getPropertyPriority('position'),
  }))
  for (const { style } of children) style.setProperty('position', 'static', 'important')
  const anchored = children.filter((child) => {
    const { left, top, right, bottom } = natives.getComputedStyle(child)
    return [left, top, right, bottom].some((anchor) => anchor !== 'auto')
  })
  for (const [index, { style }] of children.entries()) {
    style.removeProperty('position')
    style.setProperty('position', inline[index]?.value ?? '', inline[index]?.priority)
  }
  return new Set(anchored)
}

const mark = (elements: readonly HTMLElement[], attribute: string) => {
  for (const element of elements) element.setAttribute(attribute, '')
}

/** Gives elements without a size that of their container; a width may determine an element's height. */
const stretch = (elements: readonly HTMLElement[]) => {
  mark(
    elements.filter(({ offsetWidth }) => offsetWidth === 0),
    'data-vid-wide',
  )
  mark(
    elements.filter(({ offsetHeight }) => offsetHeight === 0),
    'data-vid-tall',
  )
}

/** Gives sizes to the roots of embedded files, those of hosts included. */
type GiveSizes = (elements: readonly HTMLElement[]) => void

/** Elements that are not inside each other: all are read before any is changed, since each change costs a layout. */
const placeLevel = (elements: readonly HTMLElement[], giveSizes: GiveSizes): void => {
  const isTimed = (element: HTMLElement) => element.matches('[data-start]')
  const boxes = elements.filter((element) => !isTimed(element))
  const styles = elements
    .filter(isTimed)
    .map((child) => ({ child, style: natives.getComputedStyle(child) }))
    .map(({ child, style: { position, display } }) => ({ child, position, display }))
  const inFlow = styles
    .filter(({ position }) => position !== 'absolute' && position !== 'fixed')
    .map(({ child }) => child)
  const anchored = findAnchored(inFlow)
  mark(
    inFlow.filter((child) => !anchored.has(child)),
    'data-vid-anchored',
  )
  mark(inFlow, 'data-vid-placed')
  // An embedded file is a box to its content, as when it is rendered by itself.
  mark(boxes, 'data-vid-box')
  giveSizes(elements)
  const drawn = new Set([...boxes, ...styles.filter(({ display }) => display !== 'none').map(({ child }) => child)])
  stretch(elements.filter((element) => drawn.has(element)))
}

/**
 * Places elements, which are in document order: timed ones become absolute, at 0 if they have no anchors; elements
 * without width or height get that of their container. `giveSizes` is called for each level, before that.
 */
export const placeElements = (elements: readonly HTMLElement[], giveSizes: GiveSizes): void => {
  for (const level of levelsOf(elements)) placeLevel(level, giveSizes)
}
