import type { MissingGlyphs } from '../../contract/readiness.ts'
import { natives, type Realm } from '../realm/natives.ts'
import type { CanvasTexts } from './canvas-texts.ts'
import { describeElement } from './describe-element.ts'
import { drawnTexts } from './drawn-texts.ts'
import { NOT_LATIN } from './generated-texts.ts'

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

/** Draws characters in a font, to compare the results. */
const createDrawing = (document: Document) => {
  const canvas = natives.createElement.call(document, 'canvas') as HTMLCanvasElement
  canvas.width = canvas.height = SIZE * 2
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const draw = (character: string) => {
    context?.clearRect(0, 0, canvas.width, canvas.height)
    if (context) natives.fillText.call(context, character, SIZE / 4, SIZE * 1.5)
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

/** Characters of a text, the font in which they are drawn, and where. */
interface FontText {
  readonly characters: Iterable<string>
  readonly font: string
  readonly element: string
  readonly document: Document
}

/** Creates the check for the text of all windows. */
export const createGlyphCheck = (
  realms: Iterable<Realm>,
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
  canvasTexts: CanvasTexts,
): GlyphCheck => {
  function* texts(): Generator<FontText> {
    for (const realm of realms)
      for (const tree of treesOf(realm))
        for (const { data, element, style } of drawnTexts(tree)) {
          const font = `${style.fontStyle} ${style.fontWeight} ${SIZE}px ${style.fontFamily}`
          yield { characters: data, font, element: describeElement(element), document: element.ownerDocument }
        }
    for (const { characters, font, canvas } of canvasTexts.texts()) {
      const sized = font.replace(/[\d.]+px/, `${SIZE}px`)
      yield { characters, font: sized, element: canvas, document: globalThis.document }
    }
  }
  return {
    characters() {
      const seen = new Set<string>()
      for (const { characters } of texts())
        for (const character of characters) if (NOT_LATIN.test(character)) seen.add(character)
      return [...seen].join('')
    },
    missing(suspects) {
      const results = new Map<string, boolean>()
      const byElement = new Map<string, string[]>()
      const reported = new Set<string>()
      for (const { characters, font, element, document } of texts()) {
        for (const character of new Set(characters)) {
          if (!suspects.includes(character) || reported.has(character)) continue
          const key = `${character}${font}`
          const isMissing = results.get(key) ?? lacks(document, font, character)
          results.set(key, isMissing)
          if (!isMissing) continue
          reported.add(character)
          byElement.set(element, [...(byElement.get(element) ?? []), character])
        }
      }
      return [...byElement].map(([element, texts]) => ({ element, characters: texts.join('') }))
    },
  }
}
