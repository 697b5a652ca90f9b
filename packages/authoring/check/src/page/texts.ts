import type { CompositionBox } from '@vid/kernel'
import type { ReportedText } from '../page-report.ts'
import { type createPointStacks, findCover } from './covers.ts'
import { ownText, type PageElements, selectorOf } from './elements.ts'
import type { PageFonts } from './fonts.ts'
import { boxOf, intersect, type StyleReader, textScale } from './styles.ts'

/** Elements with text that are read of one frame, and characters and lines of one text. */
const MAX_TEXTS = 400
const MAX_CHARACTERS = 4000
const MAX_LINES = 60

/** Text nodes that are looked at for those. */
const MAX_NODES = 20_000

const SILENT = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'TITLE', 'OPTION', 'TEXTAREA'])

/** The elements that hold text themselves and can be seen, in document order. */
export const textElements = (): Element[] => {
  const elements = new Set<Element>()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let count = 0; count < MAX_NODES && elements.size < MAX_TEXTS; count++) {
    const node = walker.nextNode() as Text | null
    if (!node) break
    const parent = node.parentElement
    if (!parent || elements.has(parent) || SILENT.has(parent.tagName) || !/\S/.test(node.data.slice(0, 200))) continue
    if (parent.checkVisibility({ visibilityProperty: true })) elements.add(parent)
  }
  return [...elements]
}

/** The boxes of the lines of an element's own text. */
export const lineBoxesOf = (element: Element): CompositionBox[] => {
  const lines: CompositionBox[] = []
  const range = document.createRange()
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType !== Node.TEXT_NODE || !/\S/.test((node as Text).data.slice(0, MAX_CHARACTERS))) continue
    range.selectNodeContents(node)
    if ((node as Text).data.length > MAX_CHARACTERS) range.setEnd(node, MAX_CHARACTERS)
    for (const { x, y, width, height } of range.getClientRects()) {
      if (lines.length >= MAX_LINES) return lines
      if (width < 0.5 || height < 0.5) continue
      const last = lines.at(-1)
      // What goes on in the same line begins where the last part of it ended; another line begins before that.
      const end = last ? last.x + last.width : 0
      const isSame = last && Math.abs(last.y - y) < height / 3 && x >= end - 1 && x <= end + height
      if (!isSame) lines.push({ x, y, width, height })
      else lines[lines.length - 1] = { ...last, width: Math.max(last.width, x + width - last.x) }
    }
  }
  return lines
}

const INLINE = /^(?:inline|contents|ruby)/

/** The block that an element's text is set in. */
const blockOf = (element: Element, { styleOf }: StyleReader): Element => {
  let block = element
  while (block.parentElement && INLINE.test(styleOf(block).display)) block = block.parentElement
  return block
}

const isPainted = ({ backgroundColor, backgroundImage, borderTopWidth, borderTopStyle }: CSSStyleDeclaration) =>
  !/^(?:transparent|rgba\(.*, 0\))$/.test(backgroundColor) ||
  backgroundImage !== 'none' ||
  (Number.parseFloat(borderTopWidth) > 0 && borderTopStyle !== 'none')

/** Part of the font's height by which a text sticks out of the painted box that it is meant to stand in. */
const spillOf = (
  lines: readonly CompositionBox[],
  element: Element,
  { styleOf }: StyleReader,
  fontSize: number,
): Pick<ReportedText, 'spill' | 'spillsFrom'> => {
  let node: Element | null = element
  for (let depth = 0; node && depth < 3 && !isPainted(styleOf(node)); depth++) node = node.parentElement
  if (!node || !isPainted(styleOf(node)) || styleOf(node).webkitBackgroundClip === 'text')
    return { spill: 0, spillsFrom: null }
  if (node.hasAttribute('data-composition-id') || node === document.body) return { spill: 0, spillsFrom: null }
  const box = boxOf(node)
  const beyond = lines.map(({ x, y, width, height }) =>
    Math.max(box.x - x, x + width - box.x - box.width, box.y - y - 0.3 * height, y + 0.7 * height - box.y - box.height),
  )
  // Painted boxes as thin as a line are decoration.
  const isBox = box.height > 0.8 * fontSize && box.width > fontSize
  const touches = lines.some((line) => intersect(line, box).width > 0 && intersect(line, box).height > 0)
  const spill = isBox && touches ? Math.max(0, ...beyond) / fontSize : 0
  return { spill, spillsFrom: spill > 0 ? selectorOf(node) : null }
}

const unionOf = (boxes: readonly CompositionBox[]): CompositionBox => {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  }
}

/** What one pixel of `translate` does to a block; null if its style moves it already, or the space around it is turned. */
const moveOf = (block: Element, styles: StyleReader): ReportedText['move'] => {
  if (styles.styleOf(block).translate !== 'none') return null
  const matrix = block.parentElement && styles.inherited(block.parentElement).matrix
  if (matrix?.b !== 0 || matrix.c !== 0 || matrix.a <= 0 || matrix.d <= 0) return null
  return { x: matrix.a, y: matrix.d }
}

/** What texts of one frame are read with. */
interface TextReader {
  readonly elements: PageElements
  readonly fonts: PageFonts
  readonly styles: StyleReader
  readonly stackAt: ReturnType<typeof createPointStacks>
}

/** What a frame shows of the text of an element; undefined where none of it is laid out. */
export const reportText = (
  element: Element,
  { elements, fonts, styles, stackAt }: TextReader,
): ReportedText | undefined => {
  const lines = lineBoxesOf(element)
  if (lines.length === 0) return undefined
  const { opacity, scale, clip, clippedBy } = styles.of(element)
  if (opacity < 0.02) return undefined
  const style = styles.styleOf(element)
  const styledSize = Number.parseFloat(style.fontSize)
  const fontSize = styledSize * textScale(element, scale)
  const block = blockOf(element, styles)
  const whole = unionOf(lines)
  const visible = intersect(whole, clip)
  const lost = clippedBy.map(({ selector, box }) => {
    const part = intersect(whole, box)
    return { selector, area: whole.width * whole.height - part.width * part.height }
  })
  const [worst] = lost.sort((one, other) => other.area - one.area)
  const isSeen = visible.width > 1 && visible.height > 1
  const cover = isSeen ? findCover(element, lines, visible, styles, stackAt) : undefined
  return {
    element: elements.numberOf(element),
    block: elements.numberOf(block),
    text: ownText(element),
    lines,
    ink: fonts.ink(element, style),
    visible: cover?.isDrawn ? visible : { ...visible, width: 0, height: 0 },
    clippedBy: worst && worst.area > 1 ? worst.selector : null,
    ...spillOf(lines, element, styles, fontSize),
    fontSize,
    styledSize,
    move: moveOf(block, styles),
    isBold: Number(style.fontWeight) >= 700,
    opacity,
    covered: cover?.covered ?? 0,
    coveredBy: cover?.coveredBy ?? null,
    isCoverSure: cover?.isCoverSure ?? false,
    missingFamily: fonts.missing(style.fontFamily),
  }
}
