import type { MeasuredText } from '../page-report.ts'
import type { PageElements } from './elements.ts'
import { boxOf, intersect, type StyleReader, textScale } from './styles.ts'
import { lineBoxesOf, textElements } from './texts.ts'

/** Hides characters alone: their shadows stay, since they are part of what a text stands on. */
const HIDDEN = `*, *::before, *::after { -webkit-text-fill-color: transparent !important; text-decoration-color: transparent !important }
svg text, svg tspan, svg textPath { fill: transparent !important }
[data-vid-check-painted] { background-image: none !important }`

const EMOJI = /^[\p{Extended_Pictographic}\p{Emoji_Component}\s]+$/u

let context: CanvasRenderingContext2D | null = null

/** A colour of any notation as numbers. */
const numbersOf = (color: string): readonly [number, number, number, number] | null => {
  context ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  })
  if (!context) return null
  const [, rgb = '', alpha = '1'] = /^rgba?\((\d+, \d+, \d+)(?:, ([\d.]+))?\)$/.exec(color) ?? []
  if (rgb !== '') {
    const [red = 0, green = 0, blue = 0] = rgb.split(', ').map(Number)
    return [red, green, blue, Number(alpha)]
  }
  context.clearRect(0, 0, 1, 1)
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, opacity = 255] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue, opacity / 255]
}

const isPaintedText = (style: CSSStyleDeclaration) => style.webkitBackgroundClip === 'text'

const colorOf = (element: Element, styles: StyleReader): MeasuredText['color'] => {
  const style = styles.styleOf(element)
  const { opacity, isBlended } = styles.inherited(element)
  for (let node: Element | null = element; node; node = node.parentElement)
    if (isPaintedText(styles.styleOf(node))) return null
  if (isBlended || Number.parseFloat(style.webkitTextStrokeWidth) > 0) return null
  const isDrawn = element instanceof SVGElement
  const color = numbersOf(isDrawn ? style.fill : style.webkitTextFillColor)
  if (!color) return null
  const [red, green, blue, alpha] = color
  return [red, green, blue, alpha * opacity * (isDrawn ? Number(style.fillOpacity || 1) : 1)]
}

/** The texts of the shown frame, for measuring. */
export const measuredTexts = (elements: PageElements, styles: StyleReader): MeasuredText[] =>
  textElements().flatMap((element): MeasuredText[] => {
    if (EMOJI.test(element.textContent ?? '')) return []
    const lines = lineBoxesOf(element)
    const { opacity, scale, clip } = styles.of(element)
    if (lines.length === 0 || opacity < 0.02) return []
    const style = styles.styleOf(element)
    const box = lines.reduce((all, line) => {
      const x = Math.min(all.x, line.x)
      const y = Math.min(all.y, line.y)
      return {
        x,
        y,
        width: Math.max(all.x + all.width, line.x + line.width) - x,
        height: Math.max(all.y + all.height, line.y + line.height) - y,
      }
    }, lines[0] ?? boxOf(element))
    const visible = intersect(box, clip)
    if (visible.width < 2 || visible.height < 2) return []
    return [
      {
        element: elements.numberOf(element),
        lines,
        visible,
        fontSize: Number.parseFloat(style.fontSize) * textScale(element, scale),
        isBold: Number(style.fontWeight) >= 700,
        color: colorOf(element, styles),
        opacity,
      },
    ]
  })

/** Hides the characters of the page, and shows them again. */
export const createHiding = () => {
  const sheet = document.createElement('style')
  sheet.textContent = HIDDEN
  let frozen: [element: HTMLElement, value: string, priority: string][] = []
  return (isHidden: boolean): void => {
    if (!isHidden) {
      sheet.remove()
      for (const [element, value, priority] of frozen) {
        element.removeAttribute('data-vid-check-painted')
        element.style.setProperty('transition-property', value, priority)
      }
      frozen = []
      return
    }
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      if (frozen.length > 2000) break
      const style = getComputedStyle(element)
      const isMoved = style.transitionDuration !== '0s' && style.transitionDuration !== ''
      const isPainted = isPaintedText(style)
      if (!isMoved && !isPainted) continue
      frozen.push([
        element,
        element.style.getPropertyValue('transition-property'),
        element.style.getPropertyPriority('transition-property'),
      ])
      if (isPainted) element.setAttribute('data-vid-check-painted', '')
      // A change of colour must not become a transition, which stands still at its start.
      if (isMoved) element.style.setProperty('transition-property', 'none', 'important')
    }
    document.head.append(sheet)
  }
}
