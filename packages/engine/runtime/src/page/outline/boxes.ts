import type { PageBox } from '../../contract/page-box.ts'
import type { PageConfig } from '../../contract/page-config.ts'
import { nameOf } from '../document/element-name.ts'
import { paints } from '../raster/raster-stage.ts'
import { TIMED } from './clip-tree.ts'
import { createElementPaths } from './element-path.ts'
import { kindSelector } from './selector.ts'

/** Limit on listed boxes, since a page may have one for each letter of a long text. */
const MAX_BOXES = 2000

/** Longest text of a box. */
const MAX_TEXT = 120

const PICTURES = new Set(['img', 'video', 'canvas', 'svg'])

const textOf = (element: Element): string => {
  const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
  return texts
    .map((node) => node.textContent ?? '')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT)
}

/** The visible elements of the shown frame, in document order. */
export const readBoxes = ({ width, height }: Pick<PageConfig, 'width' | 'height'>): readonly PageBox[] => {
  const timed = [...document.querySelectorAll(TIMED)]
  const places = new Map(timed.map((element, index) => [element, index]))
  const pathOf = createElementPaths()
  const boxes: PageBox[] = []
  for (const element of document.body?.querySelectorAll('*') ?? []) {
    if (boxes.length === MAX_BOXES) break
    const text = textOf(element)
    const isShown = text !== '' || places.has(element) || PICTURES.has(element.localName)
    if (!isShown && !paints(getComputedStyle(element))) continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const box = element.getBoundingClientRect()
    const left = Math.max(0, box.left)
    const top = Math.max(0, box.top)
    const right = Math.min(width, box.right)
    const bottom = Math.min(height, box.bottom)
    if (right <= left || bottom <= top) continue
    const clip = element.closest(TIMED)
    boxes.push({
      element: nameOf(element),
      selector: kindSelector(element),
      path: pathOf(element),
      ...(text !== '' && { text }),
      clip: clip ? (places.get(clip) ?? null) : null,
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
    })
  }
  return boxes
}
