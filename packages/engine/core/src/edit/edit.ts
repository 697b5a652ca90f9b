import { serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { readNumber } from '../source/numbers.ts'
import { findRoot } from '../source/root.ts'
import { attributeOf, type Element, parseDocument } from '../source/tree.ts'
import {
  checkCommentReads,
  checkSurroundings,
  type HarmlessScripts,
  isText,
  shortTag,
  Unclear,
  unclear,
} from './surroundings.ts'

/** A time range of a composition in seconds, without its end. */
export interface EditWindow {
  readonly start: number
  readonly end: number
}

/** The time ranges in which an edit is visible, or the reason why it may be visible at any time. */
export type EditReach = { readonly windows: readonly EditWindow[] } | { readonly reason: string }

const MOVED = 'elements or text nodes were added or removed'

/** Elements whose content is used elsewhere in the page or is not part of its layout. */
const APART = new Set(['svg', 'math', 'template', 'script', 'style', 'iframe', 'object', 'noscript', 'select'])

/** Signs of a page that shows white space as it is written. */
const KEEPS_SPACES = /\bpre\b|white-space|break-spaces|<(?:textarea|xmp|listing)\b/i

const isElement = (node: Tree.Node): node is Element => 'tagName' in node

/** Elements and texts; a comment does not divide the text around it. */
const nodesOf = (parent: Tree.ParentNode): (Element | Tree.TextNode)[] => {
  const nodes: (Element | Tree.TextNode)[] = []
  for (const node of parent.childNodes) {
    const before = nodes.at(-1)
    if (isElement(node)) nodes.push(node)
    else if (isText(node) && before && isText(before))
      nodes[nodes.length - 1] = { ...before, value: before.value + node.value }
    else if (isText(node)) nodes.push(node)
  }
  return nodes
}

/** Names of the attributes that differ. */
const attributeChanges = (before: Element, after: Element): string[] => {
  const names = new Set([...before.attrs, ...after.attrs].map(({ name }) => name))
  return [...names].filter((name) => attributeOf(before, name) !== attributeOf(after, name))
}

const windowOf = (clip: Element): EditWindow => {
  const start = readNumber(attributeOf(clip, 'data-start'))
  const length = readNumber(attributeOf(clip, 'data-duration'))
  const until = readNumber(attributeOf(clip, 'data-end'))
  if (start === null || start < 0) return unclear(`the start of ${shortTag(clip)} is not a number`)
  const end = length === null ? until : start + length
  if (end === null || end <= start) return unclear(`the length of ${shortTag(clip)} is not a number`)
  return { start, end }
}

const isClip = (element: Element) => attributeOf(element, 'data-start') !== null && element.tagName !== 'audio'

/**
 * Compares the text of a composition before and after an edit. Only an edit of text or inline styles inside timed
 * children of the root has a limited reach: the runtime takes these out of the flow and hides them outside their time
 * ranges.
 */
export const readEdit = (before: string, after: string, options: HarmlessScripts): EditReach => {
  const windows = new Map<Element, EditWindow>()
  let restyled = false
  const keepsSpaces = KEEPS_SPACES.test(before + after)
  const old = parseDocument(before)
  const document = parseDocument(after)

  const addWindow = (clip: Element) => windows.set(clip, windowOf(clip))

  /** `clip` is the timed child of the root around the compared nodes; null outside of all of them. */
  const compareText = (was: string, is: string, clip: Element | null): void => {
    if (was === is) return
    if (was.trim() === '' && is.trim() === '' && !keepsSpaces) return
    if (clip === null) unclear('text changed outside of all timed elements')
    // White space that becomes text may create a box.
    else if ((was.trim() === '') !== (is.trim() === '')) unclear(MOVED)
    else addWindow(clip)
  }

  const compareElements = (was: Element, is: Element, clip: Element | null, root: Element): void => {
    const changes = attributeChanges(was, is)
    const [wrong] = changes.filter((name) => name !== 'style' || clip === null)
    if (wrong !== undefined) unclear(`the attribute ${wrong} of ${shortTag(is)} changed`)
    if (clip && changes.length > 0) {
      restyled = true
      addWindow(clip)
    }
    if (!APART.has(is.tagName)) compare(was, is, root, clip)
    else if (serialize(was) !== serialize(is)) unclear(`the content of a <${is.tagName}> changed`)
  }

  const compare = (a: Tree.ParentNode, b: Tree.ParentNode, root: Element, clip: Element | null): void => {
    const mine = nodesOf(a)
    const theirs = nodesOf(b)
    if (mine.length !== theirs.length) unclear(MOVED)
    theirs.forEach((node, index) => {
      const was = mine[index] as (typeof mine)[number]
      if (isText(node)) {
        if (isText(was)) compareText(was.value, node.value, clip)
        else unclear(MOVED)
      } else if (isText(was) || was.tagName !== node.tagName) unclear(MOVED)
      else compareElements(was, node, clip ?? (b === root && isClip(node) ? node : null), root)
    })
  }
  try {
    const root = findRoot(document)
    if (root === null) return unclear('it has no root')
    compare(old, document, root, null)
    // Where nothing but comments and white space between elements changed, only a script can tell.
    if (windows.size === 0) for (const page of [old, document]) checkCommentReads(page, options)
    else for (const page of [old, document]) checkSurroundings(page, restyled, options)
    return { windows: [...windows.values()] }
  } catch (thrown) {
    if (thrown instanceof Unclear) return { reason: thrown.message }
    throw thrown
  }
}
