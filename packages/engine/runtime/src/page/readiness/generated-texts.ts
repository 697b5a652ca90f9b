import { natives } from '../realm/natives.ts'

/** Text as it is drawn, and the style of it. */
export interface DrawnText {
  readonly data: string
  readonly element: Element
  readonly style: CSSStyleDeclaration
}

/** What is not in every font of a European language. */
export const NOT_LATIN = /[\u0250-\u{10ffff}]/u

/** Elements of a tree whose generated content is read. */
const MAX_ELEMENTS = 5000

const GENERATED = ['::before', '::after'] as const

/** The first symbol of each predefined counter style that is not Latin (CSS Counter Styles 3), with the start of its names. */
const FIRST_SYMBOLS: readonly (readonly [names: RegExp, symbol: string])[] = [
  [/armenian$/, 'Ա'],
  [/^arabic-indic$/, '١'],
  [/^bengali$/, '১'],
  [/^(cambodian|khmer)$/, '១'],
  [/^cjk-earthly-branch$/, '子'],
  [/^cjk-heavenly-stem$/, '甲'],
  [/^(cjk-(decimal|ideographic)|(simp|trad)-chinese-informal|(japanese|korean-hanja)-informal)$/, '一'],
  [/^((simp|trad)-chinese|japanese|korean-hanja)-formal$/, '壹'],
  [/^devanagari$/, '१'],
  [/^ethiopic-numeric$/, '፩'],
  [/^georgian$/, 'ა'],
  [/^gujarati$/, '૧'],
  [/^gurmukhi$/, '੧'],
  [/^hebrew$/, 'א'],
  [/^hiragana$/, 'あ'],
  [/^hiragana-iroha$/, 'い'],
  [/^kannada$/, '೧'],
  [/^katakana$/, 'ア'],
  [/^katakana-iroha$/, 'イ'],
  [/^korean-hangul-formal$/, '일'],
  [/^lao$/, '໑'],
  [/^lower-greek$/, 'α'],
  [/^malayalam$/, '൧'],
  [/^mongolian$/, '᠑'],
  [/^myanmar$/, '၁'],
  [/^oriya$/, '୧'],
  [/^(persian|urdu)$/, '۱'],
  [/^tamil$/, '௧'],
  [/^telugu$/, '౧'],
  [/^thai$/, '๑'],
  [/^tibetan$/, '༡'],
]

const STRINGS = /"((?:[^"\\]|\\.)*)"/gs
const stringsOf = (css: string): string => [...css.matchAll(STRINGS)].map(([, text]) => text).join('')

/** What of a style sheet may generate text: its contents, and the counter styles that it defines. */
interface Generating {
  readonly generates: boolean
  readonly counterStyles: ReadonlyMap<string, string>
}

/** The text of a style sheet; none of one of another origin, which cannot be read. */
const textOf = (sheet: CSSStyleSheet): string => {
  try {
    return [...sheet.cssRules].map(({ cssText }) => cssText).join('\n')
  } catch {
    return ''
  }
}

const generating = ({ styleSheets, adoptedStyleSheets }: Document | ShadowRoot): Generating => {
  const texts = [...styleSheets, ...adoptedStyleSheets].map(textOf)
  const definitions = texts.flatMap((text) => [...text.matchAll(/@counter-style ([^\s{]+) \{([^}]*)\}/g)])
  return {
    generates: texts.some((text) => /content: [^;]*(?:[\u0250-\u{10ffff}]|attr\(|counters?\()/u.test(text)),
    counterStyles: new Map(definitions.map(([, name = '', body = '']) => [name, stringsOf(body)])),
  }
}

/** The symbols that a counter style draws first, or the text that stands in its place. */
const symbolsOf = (style: string, counterStyles: Generating['counterStyles']): string =>
  counterStyles.get(style) ?? FIRST_SYMBOLS.find(([names]) => names.test(style))?.[1] ?? stringsOf(style)

const contentText = (content: string, element: Element, counterStyles: Generating['counterStyles']): string => {
  const attributes = [...content.matchAll(/attr\(([^\s,)]+)/g)].map(([, name = '']) => element.getAttribute(name) ?? '')
  const counters = [...content.matchAll(/counters?\([^)]*,\s*([^\s,)]+)\)/g)].map(([, style = '']) =>
    symbolsOf(style, counterStyles),
  )
  return stringsOf(content) + attributes.join('') + counters.join('')
}

/** The texts of a tree that are not Latin and stand in no node: before and after elements, and beside the items of lists. */
export function* generatedTexts(tree: Document | ShadowRoot): Generator<DrawnText> {
  const { generates, counterStyles } = generating(tree)
  for (const element of [...tree.querySelectorAll(generates ? '*' : 'li,summary')].slice(0, MAX_ELEMENTS)) {
    for (const pseudo of generates ? GENERATED : []) {
      const style = natives.getComputedStyle(element, pseudo)
      const data = contentText(style.content, element, counterStyles)
      if (NOT_LATIN.test(data)) yield { data, element, style }
    }
    const { display, listStyleType } = natives.getComputedStyle(element)
    if (!display.includes('list-item')) continue
    const style = natives.getComputedStyle(element, '::marker')
    const data = style.content === 'normal' ? symbolsOf(listStyleType, counterStyles) : stringsOf(style.content)
    if (NOT_LATIN.test(data)) yield { data, element, style }
  }
}
