import type { CompositionBox } from '@vid/kernel'
import { selectorOf } from './elements.ts'
import { intersect, type StyleReader } from './styles.ts'

/** Points of a text at which it is looked up what lies above it. */
const MAX_POINTS = 24

const pointsOf = (lines: readonly CompositionBox[], visible: CompositionBox): { x: number; y: number }[] => {
  const shown = lines.map((line) => intersect(line, visible)).filter(({ width, height }) => width > 1 && height > 1)
  const each = Math.max(1, Math.ceil(MAX_POINTS / Math.min(shown.length, MAX_POINTS)))
  return shown
    .slice(0, MAX_POINTS)
    .flatMap(({ x, y, width, height }) =>
      Array.from({ length: each }, (_, index) => ({ x: x + ((index + 0.5) / each) * width, y: y + height * 0.55 })),
    )
}

const alphaOf = (color: string): number => {
  if (color === 'transparent') return 0
  const [, alpha] = /^(?:rgba\(.*,|color\(.*\/) ?([\d.]+)\)$/.exec(color) ?? []
  return alpha === undefined ? 1 : Number(alpha)
}

const SHAPES = new Set(['rect', 'circle', 'ellipse', 'path', 'polygon', 'image', 'use'])

/** Whether nothing is seen through an element; of pictures and gradients only pixels can say, so they count. */
const isOpaque = (element: Element, { styleOf, inherited }: StyleReader): boolean => {
  const style = styleOf(element)
  if (inherited(element).opacity < 0.85 || style.mixBlendMode !== 'normal') return false
  if (['img', 'video', 'canvas'].includes(element.localName)) return true
  if (style.webkitBackgroundClip === 'text') return false
  if (element instanceof SVGElement && SHAPES.has(element.localName))
    return style.fill !== 'none' && alphaOf(style.fill) * Number(style.fillOpacity || 1) >= 0.85
  return alphaOf(style.backgroundColor) >= 0.85 || style.backgroundImage !== 'none'
}

/** Whether styles alone say that nothing is seen through an element. */
const isSurelyOpaque = (element: Element, { styleOf }: StyleReader) =>
  (alphaOf(styleOf(element).backgroundColor) >= 0.85 && styleOf(element).backgroundImage === 'none') ||
  (element instanceof SVGElement && SHAPES.has(element.localName) && !styleOf(element).fill.startsWith('url'))

/** Elements at points that are listed in one frame: thousands of texts may lie on each other. */
const MAX_LISTED = 200_000

/** Lists the elements at points of one frame, the topmost first; undefined when too many were listed. */
export const createPointStacks = () => {
  let listed = 0
  return (x: number, y: number): readonly Element[] | undefined => {
    if (listed > MAX_LISTED) return undefined
    const stack = document.elementsFromPoint(x, y)
    listed += stack.length
    return stack
  }
}

/** Part of a text that lies below something opaque, what that is, and whether the text is drawn there at all. */
export const findCover = (
  element: Element,
  lines: readonly CompositionBox[],
  visible: CompositionBox,
  styles: StyleReader,
  stackAt: ReturnType<typeof createPointStacks>,
): {
  readonly covered: number
  readonly coveredBy: string | null
  readonly isCoverSure: boolean
  readonly isDrawn: boolean
} => {
  const points = pointsOf(lines, visible)
  const covers = points.map(({ x, y }) => {
    // The list of all elements at a point takes several times as long to find as the first of them.
    const top = document.elementFromPoint(x, y)
    if (top !== null && element.contains(top)) return undefined
    const stack = stackAt(x, y)
    if (!stack) return undefined
    const place = stack.findIndex((each) => each === element || element.contains(each))
    // Where the element itself is not hit, a clip path or a corner cuts it.
    if (place < 0) return null
    return stack.slice(0, place).find((each) => !each.contains(element) && isOpaque(each, styles))
  })
  const drawn = covers.filter((cover) => cover !== null)
  const hits = drawn.filter((cover) => cover !== undefined)
  const [first] = hits
  return {
    covered: drawn.length === 0 ? 0 : hits.length / drawn.length,
    coveredBy: first ? selectorOf(first) : null,
    isCoverSure: hits.length > 0 && hits.every((cover) => isSurelyOpaque(cover, styles)),
    isDrawn: drawn.length > 0,
  }
}
