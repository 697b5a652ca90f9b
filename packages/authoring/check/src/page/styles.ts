import type { CompositionBox } from '@vid/kernel'
import { selectorOf } from './elements.ts'
import { opacityOf } from './undrawn.ts'

/** What styles make of an element together with those around it. */
export interface Surroundings {
  readonly opacity: number
  /** Factor of its size by transforms, and of its width and its height where these are not turned towards each other. */
  readonly scale: number
  readonly axes: { readonly x: number; readonly y: number } | null
  /** The part of the page that it may draw in, and what limits it most. */
  readonly clip: CompositionBox
  readonly clippedBy: readonly { readonly selector: string; readonly box: CompositionBox }[]
  /** Whether only pixels say how a colour of it is shown. */
  readonly isBlended: boolean
}

/** The box that two boxes share; its size is 0 where they share none. */
export const intersect = (one: CompositionBox, other: CompositionBox): CompositionBox => {
  const x = Math.max(one.x, other.x)
  const y = Math.max(one.y, other.y)
  return {
    x,
    y,
    width: Math.max(0, Math.min(one.x + one.width, other.x + other.width) - x),
    height: Math.max(0, Math.min(one.y + one.height, other.y + other.height) - y),
  }
}

export const boxOf = (element: Element): CompositionBox => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x, y, width, height }
}

const scaleOf = ({ transform, scale }: CSSStyleDeclaration): number => {
  let factor = 1
  if (transform !== 'none' && transform !== '') {
    const { a, b, c, d } = new DOMMatrix(transform)
    factor *= Math.sqrt(Math.abs(a * d - b * c))
  }
  if (scale && scale !== 'none') {
    const [x = 1, y = x] = scale.split(' ').map(Number)
    factor *= Math.sqrt(Math.abs(x * y))
  }
  return factor
}

/** What transforms of an element do to lengths, after those around it; null where they leave the plane. */
const matrixOf = (around: DOMMatrix | null, { transform, scale, rotate }: CSSStyleDeclaration): DOMMatrix | null => {
  const isTransformed = [transform, scale, rotate].some((value) => value !== 'none' && value !== '')
  if (!around || !isTransformed) return around
  const [x = 1, y = x, z = 1] = scale === 'none' ? [] : scale.split(' ').map(Number)
  const isTurnedInPlane = rotate === 'none' || /^-?[\d.]+deg$/.test(rotate)
  const matrix = around
    .rotate(rotate === 'none' ? 0 : Number.parseFloat(rotate))
    .scale(x, y)
    .multiply(new DOMMatrix(transform === 'none' ? '' : transform))
  return matrix.is2D && z === 1 && isTurnedInPlane ? matrix : null
}

/** How much narrower a right angle may become before width and height cannot be told apart. */
const MAX_SHEAR = 0.01

const axesOf = (matrix: DOMMatrix | null): Surroundings['axes'] => {
  if (!matrix) return null
  const { a, b, c, d } = matrix
  const x = Math.hypot(a, b)
  const y = Math.hypot(c, d)
  return Math.abs(a * c + b * d) <= MAX_SHEAR * x * y ? { x, y } : null
}

/** Factor of the size of a text: in a drawing, that of its view box too. */
export const textScale = (element: Element, scale: number): number => {
  const matrix = element instanceof SVGGraphicsElement ? element.getScreenCTM() : null
  return matrix ? Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) : scale
}

/** Whether an absolutely placed descendant is placed by it. */
const isPositioned = ({ position, transform, filter, perspective, contain }: CSSStyleDeclaration) =>
  position !== 'static' || transform !== 'none' || filter !== 'none' || perspective !== 'none' || contain === 'paint'

const cuts = ({ overflowX, overflowY, clipPath }: CSSStyleDeclaration) =>
  overflowX !== 'visible' || overflowY !== 'visible' || clipPath.startsWith('inset')

/** What an element with overflow shows of its content: the box within its borders; an inset cuts further. */
const shownPart = (element: Element, style: CSSStyleDeclaration): CompositionBox => {
  const box = boxOf(element)
  const [all, top = '0px', right = top, bottom = top, left = right] =
    /^inset\((\S+)(?: (\S+))?(?: (\S+))?(?: (\S+))?/.exec(style.clipPath) ?? ['']
  const length = (text: string, whole: number) =>
    text.endsWith('%') ? (Number.parseFloat(text) / 100) * whole : Number.parseFloat(text) || 0
  const x = all === '' ? 0 : length(left, box.width)
  const y = all === '' ? 0 : length(top, box.height)
  return {
    x: box.x + x,
    y: box.y + y,
    width: Math.max(0, box.width - x - (all === '' ? 0 : length(right, box.width))),
    height: Math.max(0, box.height - y - (all === '' ? 0 : length(bottom, box.height))),
  }
}

const blends = ({ mixBlendMode, filter, maskImage, backdropFilter }: CSSStyleDeclaration) =>
  mixBlendMode !== 'normal' || filter !== 'none' || (maskImage ?? 'none') !== 'none' || backdropFilter === 'never'

interface Inherited extends Pick<Surroundings, 'opacity' | 'scale' | 'axes' | 'isBlended'> {
  readonly matrix: DOMMatrix | null
}

const NOTHING_AROUND: Inherited = {
  opacity: 1,
  scale: 1,
  matrix: new DOMMatrix(),
  axes: { x: 1, y: 1 },
  isBlended: false,
}

/** Reads the styles around elements of one frame; each element is read once. */
export const readSurroundings = (frame: CompositionBox) => {
  const styles = new Map<Element, CSSStyleDeclaration>()
  const read = new Map<Element, Inherited>()
  const styleOf = (element: Element) => {
    const style = styles.get(element) ?? getComputedStyle(element)
    styles.set(element, style)
    return style
  }
  const inherited = (element: Element): Inherited => {
    const before = read.get(element)
    if (before) return before
    const style = styleOf(element)
    const around = element.parentElement ? inherited(element.parentElement) : NOTHING_AROUND
    const matrix = matrixOf(around.matrix, style)
    const values = {
      opacity: around.opacity * opacityOf(element, style),
      scale: around.scale * scaleOf(style),
      matrix,
      axes: matrix === around.matrix ? around.axes : axesOf(matrix),
      isBlended: around.isBlended || blends(style),
    }
    read.set(element, values)
    return values
  }
  return {
    styleOf,
    inherited,
    of(element: Element): Surroundings {
      let clip = frame
      const clippedBy: { selector: string; box: CompositionBox }[] = []
      let position = styleOf(element).position
      // Its values overflow cuts its values text.
      for (let node: Element | null = element; node && node !== document.documentElement; node = node.parentElement) {
        const style = styleOf(node)
        const escapes =
          node !== element &&
          ((position === 'absolute' && !isPositioned(style)) || (position === 'fixed' && style.transform === 'none'))
        if (escapes) continue
        if (node !== element) position = style.position
        if (node === document.body || node.hasAttribute('data-vid-root') || !cuts(style)) continue
        const box = shownPart(node, style)
        clippedBy.push({ selector: selectorOf(node), box })
        clip = intersect(clip, box)
      }
      return { ...inherited(element), clip, clippedBy }
    },
  }
}

export type StyleReader = ReturnType<typeof readSurroundings>
