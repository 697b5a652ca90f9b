import type { FilmBox } from '@vid/kernel'
import { selectorOf } from './elements.ts'
import { opacityOf } from './undrawn.ts'

/** What styles make of an element together with those around it. */
export interface Surroundings {
  readonly opacity: number
  /** Factor of its size by transforms. */
  readonly scale: number
  /** The part of the page that it may draw in, and what limits it most. */
  readonly clip: FilmBox
  readonly clippedBy: readonly { readonly selector: string; readonly box: FilmBox }[]
  /** Whether only pixels say how a colour of it is shown. */
  readonly isBlended: boolean
}

/** The box that two boxes share; its size is 0 where they share none. */
export const intersect = (one: FilmBox, other: FilmBox): FilmBox => {
  const x = Math.max(one.x, other.x)
  const y = Math.max(one.y, other.y)
  return {
    x,
    y,
    width: Math.max(0, Math.min(one.x + one.width, other.x + other.width) - x),
    height: Math.max(0, Math.min(one.y + one.height, other.y + other.height) - y),
  }
}

export const boxOf = (element: Element): FilmBox => {
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

/** Whether an absolutely placed descendant is placed by it. */
const isPositioned = ({ position, transform, filter, perspective, contain }: CSSStyleDeclaration) =>
  position !== 'static' || transform !== 'none' || filter !== 'none' || perspective !== 'none' || contain === 'paint'

const cuts = ({ overflowX, overflowY, clipPath }: CSSStyleDeclaration) =>
  overflowX !== 'visible' || overflowY !== 'visible' || clipPath.startsWith('inset')

/** What an element with overflow shows of its content: the box within its borders; an inset cuts further. */
const shownPart = (element: Element, style: CSSStyleDeclaration): FilmBox => {
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

/** Reads the styles around elements of one frame; each element is read once. */
export const readSurroundings = (frame: FilmBox) => {
  const styles = new Map<Element, CSSStyleDeclaration>()
  const read = new Map<Element, Pick<Surroundings, 'opacity' | 'scale' | 'isBlended'>>()
  const styleOf = (element: Element) => {
    const style = styles.get(element) ?? getComputedStyle(element)
    styles.set(element, style)
    return style
  }
  const inherited = (element: Element): Pick<Surroundings, 'opacity' | 'scale' | 'isBlended'> => {
    const before = read.get(element)
    if (before) return before
    const style = styleOf(element)
    const around = element.parentElement ? inherited(element.parentElement) : { opacity: 1, scale: 1, isBlended: false }
    const values = {
      opacity: around.opacity * opacityOf(element, style),
      scale: around.scale * scaleOf(style),
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
      const clippedBy: { selector: string; box: FilmBox }[] = []
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
