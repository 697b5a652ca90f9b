import type { FilmBox } from '@vid/kernel'
import { selectorOf } from './elements.ts'
import type { StyleReader } from './styles.ts'

/** Points of a text at which it is looked up what lies above it. */
const MAX_POINTS = 12

const pointsOf = (lines: readonly FilmBox[], visible: FilmBox): { x: number; y: number }[] => {
  const each = Math.max(1, Math.ceil(MAX_POINTS / Math.min(lines.length, MAX_POINTS)))
  return lines.slice(0, MAX_POINTS).flatMap((line) =>
    Array.from({ length: each }, (_, index) => ({
      x: line.x + ((index + 0.5) / each) * line.width,
      y: line.y + line.height * 0.55,
    })).filter(
      ({ x, y }) => x > visible.x && x < visible.x + visible.width && y > visible.y && y < visible.y + visible.height,
    ),
  )
}

const alphaOf = (color: string): number => {
  if (color === 'transparent') return 0
  const [, alpha] = /^(?:rgba\(.*,|color\(.*\/) ?([\d.]+)\)$/.exec(color) ?? []
  return alpha === undefined ? 1 : Number(alpha)
}

/** Whether nothing is seen through an element; of pictures and gradients only pixels can say, so they count. */
const isOpaque = (element: Element, { styleOf, inherited }: StyleReader): boolean => {
  const style = styleOf(element)
  if (inherited(element).opacity < 0.85 || style.mixBlendMode !== 'normal') return false
  if (['img', 'video', 'canvas'].includes(element.localName)) return true
  if (style.webkitBackgroundClip === 'text') return false
  return alphaOf(style.backgroundColor) >= 0.85 || style.backgroundImage !== 'none'
}

/** Part of a text that lies below something opaque, and what that is. */
export const findCover = (
  element: Element,
  lines: readonly FilmBox[],
  visible: FilmBox,
  styles: StyleReader,
): { readonly covered: number; readonly coveredBy: string | null } => {
  const points = pointsOf(lines, visible)
  const covers = points.map(({ x, y }) => {
    const stack = document.elementsFromPoint(x, y)
    const place = stack.findIndex((each) => each === element || element.contains(each))
    // Where the element itself is not hit, such as at a rounded corner, nothing is known.
    if (place < 0) return undefined
    return stack.slice(0, place).find((each) => !each.contains(element) && isOpaque(each, styles))
  })
  const hits = covers.filter((cover) => cover !== undefined)
  const [first] = hits
  return { covered: points.length === 0 ? 0 : hits.length / points.length, coveredBy: first ? selectorOf(first) : null }
}
