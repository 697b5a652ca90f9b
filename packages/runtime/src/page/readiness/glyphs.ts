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

/** Elements of a tree whose generated content is read. */
const MAX_ELEMENTS = 5000

const GENERATED = ['::before', '::after'] as const

/** Text of the page, and the styles in which it is drawn. */
interface DrawnText {
  readonly data: string
  readonly element: Element
  readonly style: CSSStyleDeclaration
}

/** Whether a style sheet of a tree generates non-Latin content; one of another origin cannot be read. */
const generatesText = ({ styleSheets, adoptedStyleSheets }: Document | ShadowRoot): boolean =>
  [...styleSheets, ...adoptedStyleSheets].some((sheet) => {
    try {
      return [...sheet.cssRules].some(({ cssText }) => /content: [^;]*[\u0250-\u{10ffff}]/u.test(cssText))
    } catch {
      return false
    }
  })

/** The non-Latin texts that style sheets generate before and after the elements of a tree. */
function* generatedTexts(tree: Document | ShadowRoot): Generator<DrawnText> {
  if (!generatesText(tree)) return
  const elements = [...tree.querySelectorAll('*')].slice(0, MAX_ELEMENTS)
  for (const element of elements)
    for (const pseudo of GENERATED) {
      const style = natives.getComputedStyle(element, pseudo)
      const data = [...style.content.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, text]) => text).join('')
      if (NOT_LATIN.test(data)) yield { data, element, style }
    }
}

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
  function* texts(): Generator<DrawnText> {
    for (const realm of realms) {
      for (const tree of treesOf(realm)) {
        const walker = realm.document.createTreeWalker(tree, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const { data, parentElement: element } = node as Text
          if (!element || !NOT_LATIN.test(data) || element.closest(INVISIBLE)) continue
          yield { data, element, style: natives.getComputedStyle(element) }
        }
        yield* generatedTexts(tree)
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
      for (const { data, element, style } of texts()) {
        const { fontStyle, fontWeight, fontFamily } = style
        const font = `${fontStyle} ${fontWeight} ${SIZE}px ${fontFamily}`
        for (const character of new Set(data)) {
          if (!suspects.includes(character) || reported.has(character)) continue
          const key = `${character}${font}`
          const isMissing = results.get(key) ?? lacks(element.ownerDocument, font, character)
          results.set(key, isMissing)
          if (!isMissing) continue
          reported.add(character)
          const name = describe(element)
          byElement.set(name, [...(byElement.get(name) ?? []), character])
        }
      }
      return [...byElement].map(([element, texts]) => ({ element, characters: texts.join('') }))
    },
  }
}
