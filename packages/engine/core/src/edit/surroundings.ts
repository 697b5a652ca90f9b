import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { attributeOf, descendants, type Element } from '../source/tree.ts'

/** What is known about the scripts of a page. */
export interface HarmlessScripts {
  /** Whether a script URL is a library that reads no text and measures only boxes that it animates itself. */
  isHarmless(src: string): boolean
}

/** Thrown when an edit may be visible anywhere; the message is the reason. */
export class Unclear extends Error {}

/** Stops the comparison: the edit may be visible anywhere. */
export const unclear: (reason: string) => never = (reason) => {
  throw new Unclear(reason)
}

/** Ways for a script to read the text or size of an element, or to run code that this check cannot see. */
const SCRIPT_READS =
  /\b(?:(?:text|inner|outer)(?:Content|Text|HTML)|nodeValue|wholeText|childNodes|(?:first|last)Child|(?:next|previous)Sibling|(?:clone|import|adopt)Node|\w*TreeWalker|\w*NodeIterator|XMLSerializer|getSelection|createRange|Range|XPath\w*|getHTML|getBoundingClientRect|getClientRects|getBBox|get\w*TextLength|getSubStringLength|getExtentOfChar|(?:offset|client|scroll|natural)(?:Width|Height|Left|Top)|elementsFromPoint|elementFromPoint|caret\w*|getComputedStyle|computedStyleMap|getProperty|measureText|(?:Resize|Mutation|Intersection|Performance)Observer|[sS]plit(?:Text|Type|ting)|Splitting|eval|Function|import|fetch|XMLHttpRequest|WebSocket|Worker|customElements|attachShadow|getAttribute\w*|attributes)\b|[.{,]\s*(?:text|html|data)\b|\\[ux]|document\s*\.\s*write/

/** A name in brackets that begins with a text and adds to it, such as `["inner" + x]`. */
const computedName = (code: string): string | undefined => {
  for (const part of code.split(']')) {
    const start = /\[\s*[`'"]/.exec(part)
    if (!start) continue
    const rest = part.slice(start.index + start[0].length)
    const end = /[`'"]\s*\+/.exec(rest)
    if (end) return start[0] + rest.slice(0, end.index + end[0].length)
  }
  return undefined
}

/** Ways for a script to read an inline style. */
const STYLE_READS = /\b(?:style|cssText|styleMap|attributeStyleMap)\b/

/** Ways for a script to see comments and white space. */
const COMMENT_READS =
  /\b(?:(?:inner|outer)HTML|childNodes|(?:first|last)Child|(?:next|previous)Sibling|\w*TreeWalker|\w*NodeIterator|XMLSerializer|XPath\w*|getHTML|nodeType|Comment|isEqualNode|eval|Function|import|fetch|Worker)\b|\\[ux]/

/** CSS by which the text or style of an element affects elements outside the box around it. */
const SHEET_REACHES =
  /:has\(|\bcontents\b|anchor|plaintext|animation-timeline|\bscroll\(|\bview\(|@import|visibility(?:(?!visibility)[^;}])*!important/i

/** Whether a node is text. */
export const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === '#text'

/** A short start tag for a reason. */
export const shortTag = (element: Element) => {
  const id = attributeOf(element, 'id')
  return id ? `<${element.tagName} id="${id}">` : `<${element.tagName}>`
}

/** Stops at a script, style sheet or element through which an edit could affect more than its own element. */
export const checkSurroundings = (
  document: Tree.Document,
  restyled: boolean,
  { isHarmless }: HarmlessScripts,
): void => {
  for (const element of descendants(document)) {
    const { tagName, attrs } = element
    if (/^(?:iframe|object|embed|frame|use|base)$/.test(tagName)) unclear(`the page has a <${tagName}>`)
    if (attributeOf(element, 'dir') === 'auto' || tagName === 'bdi') unclear('the page has text of no fixed direction')
    for (const { name, value } of attrs)
      if (name.startsWith('on') && value !== '') unclear(`${shortTag(element)} has a script in ${name}`)
    if (tagName === 'link' && /stylesheet/i.test(attributeOf(element, 'rel') ?? ''))
      unclear('the page has a style sheet in another file')
    const text = element.childNodes.map((node) => (isText(node) ? node.value : '')).join('')
    const style = tagName === 'style' ? text : (attributeOf(element, 'style') ?? '')
    const rule = SHEET_REACHES.exec(style)?.[0]
    if (rule) unclear(`a style uses ${rule}`)
    if (tagName !== 'script') continue
    const src = attributeOf(element, 'src')
    if (src !== null && !isHarmless(src)) unclear(`the script ${src} is not known`)
    const code = text.replace(/^\/\/# sourceURL=.*$/m, '')
    const read =
      SCRIPT_READS.exec(code)?.[0] ?? computedName(code) ?? (restyled ? STYLE_READS.exec(code)?.[0] : undefined)
    if (read) unclear(`a script uses ${read}`)
  }
}

/** Stops at a script that could see a comment. */
export const checkCommentReads = (document: Tree.Document, { isHarmless }: HarmlessScripts): void => {
  for (const element of descendants(document)) {
    for (const { name, value } of element.attrs)
      if (name.startsWith('on') && COMMENT_READS.test(value)) unclear(`${shortTag(element)} has a script in ${name}`)
    if (element.tagName !== 'script') continue
    const src = attributeOf(element, 'src')
    if (src !== null && !isHarmless(src)) unclear(`the script ${src} is not known`)
    const text = element.childNodes.map((node) => (isText(node) ? node.value : '')).join('')
    const read = COMMENT_READS.exec(text)?.[0]
    if (read) unclear(`a script uses ${read}`)
  }
}
