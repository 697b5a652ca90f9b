import { ownText } from './elements.ts'

const GENERIC = new Set(
  'serif sans-serif monospace cursive fantasy system-ui ui-serif ui-sans-serif ui-monospace ui-rounded math emoji fangsong -apple-system blinkmacsystemfont'.split(
    ' ',
  ),
)

const SAMPLE = 'mmMWli1@gQ'

const plain = (family: string) => family.trim().replace(/^["']|["']$/g, '')

/** Where the ink of text is in a line of which no font says it. */
const USUAL_INK = [0.2, 0.8] as const

/** Longest text whose ink is measured. */
const MAX_MEASURED = 200

/** Reports whether a family that styles name is there: declared and loaded, or known to the browser. */
export const createFonts = () => {
  const families = new Map<string, boolean>()
  const context = document.createElement('canvas').getContext('2d')
  const widthOf = (font: string): number => {
    if (!context) return 0
    context.font = `72px ${font}`
    return context.measureText(SAMPLE).width
  }
  const isThere = (family: string): boolean => {
    const faces = [...document.fonts].filter((face) => plain(face.family).toLowerCase() === family.toLowerCase())
    if (faces.length > 0) return !faces.every(({ status }) => status === 'error')
    const quoted = JSON.stringify(family)
    return ['monospace', 'serif'].some((generic) => widthOf(`${quoted}, ${generic}`) !== widthOf(generic))
  }
  const inks = new Map<string, readonly [number, number]>()
  const inkOf = (font: string, text: string): readonly [number, number] => {
    if (!context || text === '') return USUAL_INK
    context.font = font
    const metrics = context.measureText(text)
    const ascent = metrics.fontBoundingBoxAscent
    const height = ascent + metrics.fontBoundingBoxDescent
    if (!(height > 0)) return USUAL_INK
    const top = (ascent - metrics.actualBoundingBoxAscent) / height
    const bottom = (ascent + metrics.actualBoundingBoxDescent) / height
    // Of ink outside of the line, and of rounded metrics of a small font, nothing is known to be cut.
    return [Math.max(0, top), Math.min(1, bottom)]
  }
  return {
    /** Where the ink of an element's text is, as parts of the height of its lines. */
    ink(element: Element, style: CSSStyleDeclaration): readonly [number, number] {
      const text = ownText(element).slice(0, MAX_MEASURED)
      const shown = style.textTransform === 'uppercase' ? text.toUpperCase() : text
      const font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
      const key = `${font} ${shown}`
      const ink = inks.get(key) ?? inkOf(font, shown)
      if (inks.size < 5000) inks.set(key, ink)
      return ink
    },
    /** The first family of a list, where it is missing. */
    missing(list: string): string | null {
      const family = plain(list.split(',')[0] ?? '')
      if (family === '' || GENERIC.has(family.toLowerCase())) return null
      const isAvailable = families.get(family) ?? isThere(family)
      families.set(family, isAvailable)
      return isAvailable ? null : family
    },
  }
}

export type PageFonts = ReturnType<typeof createFonts>
