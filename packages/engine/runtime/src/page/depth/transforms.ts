import { natives } from '../realm/natives.ts'

/** Sums the lengths of a computed length with a percentage, such as `calc(50% - 3px)`. */
const lengthOf = (value: string, whole: number): number =>
  [...value.matchAll(/([+-]?)\s*(-?[\d.]+(?:e[+-]?\d+)?)(%|px)/g)].reduce((sum, [, sign, number, unit]) => {
    const amount = Number(number) * (unit === '%' ? whole / 100 : 1)
    return sum + (sign === '-' ? -amount : amount)
  }, 0)

/** Splits a computed value at its spaces outside of parentheses. */
const partsOf = (value: string): string[] => value.match(/(?:[^\s(]+|\([^)]*\))+/g) ?? []

const AXES: Readonly<Record<string, string>> = { x: '1,0,0', y: '0,1,0', z: '0,0,1' }

/** A computed `rotate` as a function of `transform`. */
const rotationOf = (rotate: string): string => {
  const parts = partsOf(rotate)
  const angle = parts.pop()
  const axis = parts.length === 3 ? parts.join() : AXES[parts[0] ?? 'z']
  return `rotate3d(${axis},${angle})`
}

/** The matrix of an element's `translate`, `rotate`, `scale` and `transform`, around its origin. */
export const transformOf = (
  { translate, rotate, scale, transform }: CSSStyleDeclaration,
  { offsetWidth, offsetHeight }: Pick<HTMLElement, 'offsetWidth' | 'offsetHeight'>,
): DOMMatrix => {
  const matrix = new DOMMatrix()
  if (translate !== 'none') {
    const [x = '', y = '', z = ''] = partsOf(translate)
    matrix.translateSelf(lengthOf(x, offsetWidth), lengthOf(y, offsetHeight), lengthOf(z, 0))
  }
  if (rotate !== 'none') matrix.multiplySelf(new DOMMatrix(rotationOf(rotate)))
  if (scale !== 'none') {
    const [x = 1, y = x, z = 1] = partsOf(scale).map(Number)
    matrix.scaleSelf(x, y, z)
  }
  return matrix.multiplySelf(new DOMMatrix(transform))
}

/** Whether a transform is only a translation. */
export const isMove = ({ transform, rotate, scale }: CSSStyleDeclaration): boolean =>
  /^(none|matrix\(1, 0, 0, 1, .*)$/.test(transform) && rotate === 'none' && scale === 'none'

/** What the transforms of an element, and of those around it, do to lengths and directions; where it lies is not in it. */
export const linearTransformOf = (element: Element): DOMMatrix => {
  const matrix = new DOMMatrix()
  for (let around: Element | null = element; around; around = around.parentElement)
    matrix.preMultiplySelf(transformOf(natives.getComputedStyle(around), around as HTMLElement))
  return matrix
}

/**
 * Whether transforms of an element, and of those around it, turn it, scale it or move it by parts of pixels of the picture;
 * each CSS pixel has `scale` of them.
 */
export const isBetweenPixels = (element: Element, scale: number): boolean => {
  let x = 0
  let y = 0
  for (let around: Element | null = element; around; around = around.parentElement) {
    const style = natives.getComputedStyle(around)
    if (!isMove(style)) return true
    const { e, f } = transformOf(style, around as HTMLElement)
    x += e * scale
    y += f * scale
  }
  return !Number.isInteger(x) || !Number.isInteger(y)
}
