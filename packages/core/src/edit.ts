import { serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { readNumber } from './source/numbers.ts'
import { findRoot } from './source/parse.ts'
import { attributeOf, descendants, type Element, parseDocument } from './source/tree.ts'

/** Seconds of a composition, the end not included. */
export interface EditWindow {
  readonly start: number
  readonly end: number
}

/** Where an edit can be seen; or why it may be seen anywhere. */
export type EditReach = { readonly windows: readonly EditWindow[] } | { readonly reason: string }

interface EditOptions {
  /** Whether a script at an address is a library that reads no text and measures no box that it does not animate. */
  isHarmless(src: string): boolean
}

const MOVED = 'elements or words came or went'

class Unclear extends Error {}

const unclear: (reason: string) => never = (reason) => {
  throw new Unclear(reason)
}

/** What a script can learn an element's words or size by, or the words of a program in disguise. */
const SCRIPT_READS =
  /\b(?:(?:text|inner|outer)(?:Content|Text|HTML)|nodeValue|wholeText|childNodes|(?:first|last)Child|(?:next|previous)Sibling|(?:clone|import|adopt)Node|\w*TreeWalker|\w*NodeIterator|XMLSerializer|getSelection|createRange|Range|XPath\w*|getHTML|getBoundingClientRect|getClientRects|getBBox|get\w*TextLength|getSubStringLength|getExtentOfChar|(?:offset|client|scroll|natural)(?:Width|Height|Left|Top)|elementsFromPoint|elementFromPoint|caret\w*|getComputedStyle|computedStyleMap|getProperty|measureText|(?:Resize|Mutation|Intersection|Performance)Observer|[sS]plit(?:Text|Type|ting)|Splitting|eval|Function|import|fetch|XMLHttpRequest|WebSocket|Worker|customElements|attachShadow|getAttribute\w*|attributes)\b|[.{,]\s*(?:text|html|data)\b|\\[ux]|document\s*\.\s*write|\[\s*[`'"][^\]]*[`'"]\s*\+/

/** What a script can learn an inline style by. */
const STYLE_READS = /\b(?:style|cssText|styleMap|attributeStyleMap)\b/

/** Rules by which an element's words or style reach out of the box around it. */
const SHEET_REACHES =
  /:has\(|\bcontents\b|anchor|plaintext|animation-timeline|\bscroll\(|\bview\(|@import|visibility[^;}]*!important/i

/** Elements whose content is used somewhere else, or lives by itself. */
const APART = new Set([
  'svg',
  'math',
  'template',
  'script',
  'style',
  'iframe',
  'object',
  'noscript',
  'select',
])

const isElement = (node: Tree.Node): node is Element => 'tagName' in node
const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === '#text'

const nodesOf = (parent: Tree.ParentNode) =>
  parent.childNodes.filter((node) => isElement(node) || isText(node)) as (Element | Tree.TextNode)[]

const labelOf = (element: Element) => {
  const id = attributeOf(element, 'id')
  return id ? `<${element.tagName} id="${id}">` : `<${element.tagName}>`
}

/** The attributes that differ, by name. */
const attributeChanges = (before: Element, after: Element): string[] => {
  const names = new Set([...before.attrs, ...after.attrs].map(({ name }) => name))
  return [...names].filter((name) => attributeOf(before, name) !== attributeOf(after, name))
}

const windowOf = (clip: Element): EditWindow => {
  const start = readNumber(attributeOf(clip, 'data-start'))
  const length = readNumber(attributeOf(clip, 'data-duration'))
  const until = readNumber(attributeOf(clip, 'data-end'))
  if (start === null || start < 0) return unclear(`the start of ${labelOf(clip)} is not a number`)
  const end = length === null ? until : start + length
  if (end === null || end <= start) return unclear(`the length of ${labelOf(clip)} is not a number`)
  return { start, end }
}

const isClip = (element: Element) =>
  attributeOf(element, 'data-start') !== null && element.tagName !== 'audio'

/** The scripts, sheets and markup around them that could carry an edit further than its own element. */
const checkSurroundings = (document: Tree.Document, restyled: boolean, { isHarmless }: EditOptions): void => {
  for (const element of descendants(document)) {
    const { tagName, attrs } = element
    if (/^(?:iframe|object|embed|frame|use|base)$/.test(tagName)) unclear(`the page has a <${tagName}>`)
    if (attributeOf(element, 'dir') === 'auto' || tagName === 'bdi')
      unclear('the page has text of no fixed direction')
    for (const { name, value } of attrs)
      if (name.startsWith('on') && value !== '') unclear(`${labelOf(element)} has a script in ${name}`)
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
    const read = SCRIPT_READS.exec(code)?.[0] ?? (restyled ? STYLE_READS.exec(code)?.[0] : undefined)
    if (read) unclear(`a script uses ${read}`)
  }
}

/**
 * Compares the text of a composition before and after an edit. Only an edit of words, or of inline styles, inside
 * timed children of the root has a reach: the runtime takes those out of the flow and hides them outside their windows.
 */
export const readEdit = (before: string, after: string, options: EditOptions): EditReach => {
  const windows = new Map<Element, EditWindow>()
  let restyled = false
  const [old, document] = [parseDocument(before), parseDocument(after)]

  const see = (clip: Element) => windows.set(clip, windowOf(clip))

  /** `clip` is the timed child of the root around what is compared; null outside of all. */
  const compareWords = (was: string, is: string, clip: Element | null): void => {
    if (was === is) return
    if (clip === null) unclear('words changed that no timed element holds')
    // White space that becomes text may make a box where there was none.
    else if ((was.trim() === '') !== (is.trim() === '')) unclear(MOVED)
    else see(clip)
  }

  const compareElements = (was: Element, is: Element, clip: Element | null, root: Element): void => {
    const changes = attributeChanges(was, is)
    const [wrong] = changes.filter((name) => name !== 'style' || clip === null)
    if (wrong !== undefined) unclear(`the attribute ${wrong} of ${labelOf(is)} changed`)
    if (clip && changes.length > 0) {
      restyled = true
      see(clip)
    }
    if (!APART.has(is.tagName)) compare(was, is, root, clip)
    else if (serialize(was) !== serialize(is)) unclear(`the content of a <${is.tagName}> changed`)
  }

  const compare = (a: Tree.ParentNode, b: Tree.ParentNode, root: Element, clip: Element | null): void => {
    const [mine, theirs] = [nodesOf(a), nodesOf(b)]
    if (mine.length !== theirs.length) unclear(MOVED)
    theirs.forEach((node, index) => {
      const was = mine[index] as (typeof mine)[number]
      if (isText(node)) {
        if (isText(was)) compareWords(was.value, node.value, clip)
        else unclear(MOVED)
      } else if (isText(was) || was.tagName !== node.tagName) unclear(MOVED)
      else compareElements(was, node, clip ?? (b === root && isClip(node) ? node : null), root)
    })
  }
  try {
    const root = findRoot(document)
    if (root === null) return unclear('it has no root')
    compare(old, document, root, null)
    for (const each of [old, document]) checkSurroundings(each, restyled, options)
    return { windows: [...windows.values()] }
  } catch (thrown) {
    if (thrown instanceof Unclear) return { reason: thrown.message }
    throw thrown
  }
}
