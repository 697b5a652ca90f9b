import type { MissingLetters } from '../../contract.ts'
import { natives, type Realm } from '../natives.ts'

/** Looks at the letters of a page's text. */
export interface Letters {
  /** Letters that stand anywhere in the text now, each once, but those of Latin. */
  all(): string
  /** Where those of `suspects` stand that no font of their text has. */
  missing(suspects: string): MissingLetters[]
}

/** No font has it, so it is drawn as a letter that is missing. */
const NEVER = '\u{10fffd}'
const SIZE = 32
const UNSEEN = 'script,style,noscript,template,title,desc,metadata,textarea'
const OTHER = /[\u0250-\u{10ffff}]/u

const describe = (element: Element): string => {
  const { tagName, id, classList } = element
  return `${tagName.toLowerCase()}${id ? `#${id}` : classList[0] ? `.${classList[0]}` : ''}`
}

/** Draws letters in a font, to compare what comes out. */
const createDrawing = (document: Document) => {
  const canvas = natives.createElement.call(document, 'canvas') as HTMLCanvasElement
  canvas.width = canvas.height = SIZE * 2
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const draw = (letter: string) => {
    context?.clearRect(0, 0, canvas.width, canvas.height)
    context?.fillText(letter, SIZE / 4, SIZE * 1.5)
    return context?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
  }
  return {
    isMissing(font: string, letter: string): boolean {
      if (!context) return false
      context.font = font
      const never = draw(NEVER)
      return draw(letter).every((value, at) => value === never[at])
    },
  }
}

/** Makes the look at the text of all windows. */
export const createLetters = (
  realms: Iterable<Realm>,
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
): Letters => {
  function* texts(): Generator<Text> {
    for (const realm of realms) {
      if (realm.closed) continue
      for (const tree of treesOf(realm)) {
        const walker = realm.document.createTreeWalker(tree, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node; node = walker.nextNode())
          if (OTHER.test((node as Text).data) && !node.parentElement?.closest(UNSEEN)) yield node as Text
      }
    }
  }
  return {
    all() {
      const letters = new Set<string>()
      for (const { data } of texts()) for (const letter of data) if (OTHER.test(letter)) letters.add(letter)
      return [...letters].join('')
    },
    missing(suspects) {
      const known = new Map<string, boolean>()
      const found = new Map<string, string[]>()
      const seen = new Set<string>()
      for (const { data, parentElement } of texts()) {
        if (!parentElement) continue
        const { fontStyle, fontWeight, fontFamily } = getComputedStyle(parentElement)
        const font = `${fontStyle} ${fontWeight} ${SIZE}px ${fontFamily}`
        const { fonts } = parentElement.ownerDocument
        for (const letter of new Set(data)) {
          if (!suspects.includes(letter) || seen.has(letter)) continue
          const key = `${letter}${font}`
          // A font that is not loaded has it: it comes when the text is shown.
          const isMissing =
            known.get(key) ??
            (fonts.check(font, letter) && createDrawing(parentElement.ownerDocument).isMissing(font, letter))
          known.set(key, isMissing)
          if (!isMissing) continue
          seen.add(letter)
          const element = describe(parentElement)
          found.set(element, [...(found.get(element) ?? []), letter])
        }
      }
      return [...found].map(([element, letters]) => ({ element, letters: letters.join('') }))
    },
  }
}
