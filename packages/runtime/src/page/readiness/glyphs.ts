import type { MissingGlyphs } from '../../contract/readiness.ts'
import { natives, type Realm } from '../realm/natives.ts'

/** Checks whether fonts have glyphs for the characters of a page's text. */
export interface GlyphCheck {
  /** Non-Latin characters of the text at present, each once. */
  characters(): string
  /** Those of `suspects` that no font of their text has, with their places. */
  missing(suspects: string): MissingGlyphs[]
}

/** A character that no font has, which shows how a missing glyph is drawn. */
const NEVER_PRESENT = '\u{10fffd}'
const SIZE = 32
const INVISIBLE = 'script,style,noscript,template,title,desc,metadata,textarea'
const NOT_LATIN = /[\u0250-\u{10ffff}]/u

const describe = (element: Element): string => {
  const { tagName, id, classList } = element
  return `${tagName.toLowerCase()}${id ? `#${id}` : classList[0] ? `.${classList[0]}` : ''}`
}

/** Draws characters in a font, to compare the results. */
const createDrawing = (document: Document) => {
  const canvas = natives.createElement.call(document, 'canvas') as HTMLCanvasElement
  canvas.width = canvas.height = SIZE * 2
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const draw = (character: string) => {
    context?.clearRect(0, 0, canvas.width, canvas.height)
    context?.fillText(character, SIZE / 4, SIZE * 1.5)
    return context?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
  }
  return {
    isMissing(font: string, character: string): boolean {
      if (!context) return false
      context.font = font
      const missing = draw(NEVER_PRESENT)
      return draw(character).every((value, index) => value === missing[index])
    },
  }
}

/**
 * Whether a font lacks a character. A font that is not loaded counts as having it, since it is loaded when the text is
 * shown.
 */
const lacks = (document: Document, font: string, character: string): boolean =>
  document.fonts.check(font, character) && createDrawing(document).isMissing(font, character)

/** Creates the check for the text of all windows. */
export const createGlyphCheck = (
  realms: Iterable<Realm>,
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
): GlyphCheck => {
  function* texts(): Generator<Text> {
    for (const realm of realms) {
      if (realm.closed) continue
      for (const tree of treesOf(realm)) {
        const walker = realm.document.createTreeWalker(tree, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node; node = walker.nextNode())
          if (NOT_LATIN.test((node as Text).data) && !node.parentElement?.closest(INVISIBLE)) yield node as Text
      }
    }
  }
  return {
    characters() {
      const fonts = new Set<string>()
      for (const { data } of texts()) for (const character of data) if (NOT_LATIN.test(character)) fonts.add(character)
      return [...fonts].join('')
    },
    missing(suspects) {
      const results = new Map<string, boolean>()
      const byElement = new Map<string, string[]>()
      const reported = new Set<string>()
      for (const { data, parentElement } of texts()) {
        if (!parentElement) continue
        const { fontStyle, fontWeight, fontFamily } = natives.getComputedStyle(parentElement)
        const font = `${fontStyle} ${fontWeight} ${SIZE}px ${fontFamily}`
        for (const character of new Set(data)) {
          if (!suspects.includes(character) || reported.has(character)) continue
          const key = `${character}${font}`
          const isMissing = results.get(key) ?? lacks(parentElement.ownerDocument, font, character)
          results.set(key, isMissing)
          if (!isMissing) continue
          reported.add(character)
          const element = describe(parentElement)
          byElement.set(element, [...(byElement.get(element) ?? []), character])
        }
      }
      return [...byElement].map(([element, texts]) => ({ element, characters: texts.join('') }))
    },
  }
}
