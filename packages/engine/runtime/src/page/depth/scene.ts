import { natives } from '../realm/natives.ts'
import { hasGeneratedContent } from './generated-content.ts'
import type { Plane } from './planes.ts'
import { transformOf } from './transforms.ts'

/** Styles that make an element flat whatever its `transform-style` says. */
const isGroup = (style: CSSStyleDeclaration): boolean =>
  style.overflow !== 'visible' ||
  style.opacity !== '1' ||
  style.filter !== 'none' ||
  style.clipPath !== 'none' ||
  style.maskImage !== 'none' ||
  style.mixBlendMode !== 'normal' ||
  style.isolation !== 'auto' ||
  style.contain.includes('paint')

/** Whether the content of an element shares its 3D space. */
export const sharesSpace = (element: Element): boolean => {
  const style = natives.getComputedStyle(element)
  return style.transformStyle === 'preserve-3d' && !isGroup(style)
}

/** The ancestor whose 3D space an element shares, if any. */
const spaceOf = (element: Element): HTMLElement | undefined => {
  const { parentElement } = element
  return parentElement && sharesSpace(parentElement) ? parentElement : undefined
}

/** The position of an element in its parent's box, before any transform. */
const offsetIn = (element: HTMLElement, parent: HTMLElement): readonly [number, number] => {
  const { offsetParent } = element
  if (offsetParent === parent) return [element.offsetLeft + parent.clientLeft, element.offsetTop + parent.clientTop]
  if (offsetParent !== parent.offsetParent) return [Number.NaN, Number.NaN]
  return [element.offsetLeft - parent.offsetLeft, element.offsetTop - parent.offsetTop]
}

const pointOf = (value: string): readonly [number, number] => {
  const [x = '0', y = '0'] = value.split(' ')
  return [Number.parseFloat(x), Number.parseFloat(y)]
}

const around = (matrix: DOMMatrix, [x, y]: readonly [number, number], z = 0): DOMMatrix =>
  new DOMMatrix().translate(x, y, z).multiply(matrix).translate(-x, -y, -z)

/** The matrix of a parent's perspective. */
const perspectiveOf = (parent: Element): DOMMatrix => {
  const { perspective, perspectiveOrigin } = natives.getComputedStyle(parent)
  const matrix = new DOMMatrix()
  if (perspective === 'none') return matrix
  matrix.m34 = -1 / Math.max(Number.parseFloat(perspective), 1)
  return around(matrix, pointOf(perspectiveOrigin))
}

/** The matrix from an element's box to that of the parent of its outermost space. */
const matrixOf = (element: HTMLElement): DOMMatrix => {
  const style = natives.getComputedStyle(element)
  const { transformOrigin } = style
  const z = Number.parseFloat(transformOrigin.split(' ')[2] ?? '0')
  const turn = around(transformOf(style, element), pointOf(transformOrigin), z)
  const parent = element.parentElement
  if (!parent) return turn
  const placed = perspectiveOf(parent).multiply(new DOMMatrix().translate(...offsetIn(element, parent)).multiply(turn))
  const space = spaceOf(element)
  return space ? matrixOf(space).multiply(placed) : placed
}

/** The projected box of an element; undefined if a part of it is behind the viewer, or its position is unknown. */
export const planeOf = (element: HTMLElement): Plane | undefined => {
  const matrix = matrixOf(element)
  const { offsetWidth: width, offsetHeight: height } = element
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const
  const points = corners.map(([x, y]) => matrix.transformPoint({ x, y }))
  if (!points.every(({ w, x }) => w > 0 && Number.isFinite(x))) return undefined
  return points.map(({ x, y, z, w }) => ({ x: x / w, y: y / w, z: z / w }))
}

/** Whether an element has visible content besides its children. */
const showsItself = (element: Element): boolean => {
  const style = natives.getComputedStyle(element)
  return (
    style.backgroundImage !== 'none' ||
    !/^rgba\(.*, 0\)$/.test(style.backgroundColor) ||
    !/^[0px ]*$/.test(style.borderWidth) ||
    style.boxShadow !== 'none' ||
    [...element.childNodes].some((node) => node instanceof Text && /\S/.test(node.data))
  )
}

/** A visible element of a space, and its ancestors in that space, outermost first. */
export interface Participant {
  readonly element: HTMLElement
  readonly path: readonly HTMLElement[]
  /** Whether only the element's own content counts, without its children. */
  readonly isOwn: boolean
}

/** The level at which an element is painted among its siblings without depth, by its `z-index`. */
export type LevelOf = (element: HTMLElement) => number

/** All visible elements in the space of an element, in the order in which they are painted without depth. */
export const participantsOf = (
  space: HTMLElement,
  levelOf: LevelOf,
  path: readonly HTMLElement[] = [],
): Participant[] => {
  const background = showsItself(space) || hasGeneratedContent(space) ? [{ element: space, path, isOwn: true }] : []
  // The size of an SVG element is unknown, so it has no plane.
  const children = ([...space.children] as HTMLElement[]).filter((child) => child.getClientRects().length > 0)
  const levels = new Map(children.map((child) => [child, levelOf(child)]))
  const inside = children
    .sort((one, other) => (levels.get(one) ?? 0) - (levels.get(other) ?? 0))
    .flatMap((child) => {
      const way = [...path, child]
      return sharesSpace(child) ? participantsOf(child, levelOf, way) : [{ element: child, path: way, isOwn: false }]
    })
  return [...background, ...inside]
}
