import type { PageBox } from '@vid/runtime'
import type { PictureDifference } from './compare-pixels.ts'

type Box = PictureDifference['box']

/** Most elements that are named of one interval. */
const MAX_ELEMENTS = 5

const keyOf = ({ selector, text, x, y, width, height }: PageBox) =>
  JSON.stringify([selector, text, x, y, width, height])

const touches = (one: Omit<Box, never>, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

const holds = (outer: Box, inner: Box) =>
  outer.x <= inner.x + 1 &&
  outer.y <= inner.y + 1 &&
  outer.x + outer.width >= inner.x + inner.width - 1 &&
  outer.y + outer.height >= inner.y + inner.height - 1

/** Elements of one side that the other has not, with the same text at the same place. */
const missingIn = (boxes: readonly PageBox[], others: readonly PageBox[]): PageBox[] => {
  const keys = new Set(others.map(keyOf))
  return boxes.filter((box) => !keys.has(keyOf(box)))
}

/** What changed in a frame, from the boxes of both sides and the box around its changed pixels, in CSS pixels. */
export const changedElements = (before: readonly PageBox[], after: readonly PageBox[], changed: Box): string[] => {
  const moved = [...missingIn(after, before), ...missingIn(before, after)].filter((box) => touches(box, changed))
  // An element with text of its own says more than those around it.
  const ordered = [...moved.filter(({ text }) => text !== undefined), ...moved.filter(({ text }) => text === undefined)]
  if (ordered.length > 0) return [...new Set(ordered.map(({ selector }) => selector))].slice(0, MAX_ELEMENTS)
  const around = after.filter((box) => holds(box, changed))
  const [smallest] = around.sort((one, other) => one.width * one.height - other.width * other.height)
  return smallest ? [smallest.selector] : []
}
