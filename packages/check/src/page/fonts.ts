const GENERIC = new Set(
  'serif sans-serif monospace cursive fantasy system-ui ui-serif ui-sans-serif ui-monospace ui-rounded math emoji fangsong -apple-system blinkmacsystemfont'.split(
    ' ',
  ),
)

const SAMPLE = 'mmMWli1@gQ'

const plain = (family: string) => family.trim().replace(/^["']|["']$/g, '')

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
  return {
    /** The first family of a list, where it is missing. */
    missing(list: string): string | null {
      const family = plain(list.split(',')[0] ?? '')
      if (family === '' || GENERIC.has(family.toLowerCase())) return null
      const known = families.get(family) ?? isThere(family)
      families.set(family, known)
      return known ? null : family
    },
  }
}

export type PageFonts = ReturnType<typeof createFonts>
