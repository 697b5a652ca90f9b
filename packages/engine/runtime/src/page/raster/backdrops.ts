import { linearTransformOf } from '../depth/transforms.ts'
import { nameOf } from '../document/element-name.ts'
import { natives } from '../realm/natives.ts'
import { isFramed } from './canvas-frame.ts'
import { paints } from './raster-stage.ts'

const filterOf = (style: CSSStyleDeclaration): string => style.getPropertyValue('backdrop-filter') || 'none'

/** Whether a style filters its element's backdrop. */
export const hasBackdrop = (style: CSSStyleDeclaration): boolean => filterOf(style) !== 'none'

/** Numbers that differ by less are equal apart from rounding. */
const EPSILON = 1e-6

const isZero = (number: number): boolean => Math.abs(number) < EPSILON

/** Whether a matrix leaves what lies in the plane of the page there, with its depth. */
const isFlat = ({ m13, m14, m23, m24, m31, m32, m33, m34, m43 }: DOMMatrix): boolean =>
  [m13, m14, m23, m24, m31, m32, m33 - 1, m34, m43].every(isZero)

/**
 * Styles with which an element is painted that paints nothing itself, without showing anything. Otherwise the picture of
 * an element keeps the first filter of its backdrop.
 */
export const PAINTED = { boxShadow: '0 0 0 0.02px transparent' }

/** Whether an element filters its backdrop, and its own box paints nothing. */
export const isBareBackdrop = (element: Element): boolean => {
  const style = natives.getComputedStyle(element)
  return hasBackdrop(style) && !paints(style) && style.boxShadow === 'none' && !isFramed(style)
}

/** The reason why a picture of the page would filter an element's backdrop differently; undefined if it would not. */
export const backdropReason = (element: Element): string | undefined => {
  const style = natives.getComputedStyle(element)
  if (!hasBackdrop(style)) return undefined
  const name = `backdrop-filter on ${nameOf(element)}`
  if (filterOf(style).includes('url(')) return `${name} with an SVG filter`
  if (style.mixBlendMode !== 'normal') return `${name} with a blend mode`
  for (let around: Element | null = element; around; around = around.parentElement) {
    const outer = natives.getComputedStyle(around)
    if (around !== element && hasBackdrop(outer)) return `${name} inside of another`
  }
  return isFlat(linearTransformOf(element)) ? undefined : `${name} in 3D`
}

/**
 * A filter that changes nothing, with which an element stays a stacking context. It stands for that of transformed
 * backdrops while two pictures are taken that are compared: a blurred backdrop is mirrored at the edges of its element's
 * box, and in a screenshot, Chromium 153 transforms these edges twice.
 */
export const UNFILTERED = { ...PAINTED, backdropFilter: 'brightness(1)' }

/** Whether an element filters its backdrop, and transforms turn or scale it. */
export const isTransformedBackdrop = (element: Element): boolean => {
  if (!hasBackdrop(natives.getComputedStyle(element))) return false
  const { a, b, c, d } = linearTransformOf(element)
  return ![a - 1, b, c, d - 1].every(isZero)
}
