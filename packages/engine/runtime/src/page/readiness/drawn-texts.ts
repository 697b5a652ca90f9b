import { natives } from '../realm/natives.ts'
import { type DrawnText, generatedTexts, NOT_LATIN } from './generated-texts.ts'

const INVISIBLE = 'script,style,noscript,template,title,desc,metadata,textarea,select'

/** Elements that show a text which is in none of their nodes. */
const CONTROLS = 'textarea,select,img[alt],input:not([type=hidden],[type=password],[type=checkbox],[type=radio])'

/** Changes a text as `text-transform` does; `capitalize` also keeps the letters that begin a word as they are. */
const transformed = (text: string, { textTransform }: CSSStyleDeclaration): string => {
  if (textTransform.includes('uppercase')) return text.toUpperCase()
  if (textTransform.includes('lowercase')) return text.toLowerCase()
  if (!textTransform.includes('capitalize')) return text
  return text + [...text.matchAll(/(?<!\p{L})\p{L}/gu)].join('').toUpperCase()
}

/** What a control shows, or the text in place of an image that could not be had. */
const controlText = (control: Element): string => {
  const { HTMLSelectElement, HTMLImageElement } = control.ownerDocument.defaultView ?? globalThis
  if (control instanceof HTMLImageElement) return control.complete && control.naturalWidth === 0 ? control.alt : ''
  if (control instanceof HTMLSelectElement)
    return [...control.options, ...control.querySelectorAll('optgroup')].map(({ label }) => label).join('')
  const { value, placeholder } = control as HTMLInputElement
  return value || placeholder
}

function* textsOf(element: Element, text: string): Generator<DrawnText> {
  // No transform makes other characters of Latin ones.
  if (!NOT_LATIN.test(text)) return
  const style = natives.getComputedStyle(element)
  yield { data: transformed(text, style), element, style }
  const first = natives.getComputedStyle(element, '::first-letter')
  const [letter = ''] = text.trimStart()
  if (first.fontFamily !== style.fontFamily) yield { data: transformed(letter, first), element, style: first }
}

/** The texts of a tree as they are drawn, of those that are not Latin: of its nodes, controls and style sheets. */
export function* drawnTexts(tree: Document | ShadowRoot): Generator<DrawnText> {
  const walker = (tree.ownerDocument ?? (tree as Document)).createTreeWalker(tree, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { data, parentElement: element } = node as Text
    if (element && NOT_LATIN.test(data) && !element.closest(INVISIBLE)) yield* textsOf(element, data)
  }
  for (const control of tree.querySelectorAll(CONTROLS)) yield* textsOf(control, controlText(control))
  yield* generatedTexts(tree)
}
