import { type Element, parseNodes } from '@vid/core/source-model'
import { treeText } from './expected.ts'

type Parent = NonNullable<Element['parentNode']>

const isElement = (node: Parent): node is Element => 'tagName' in node

/** Elements that a parser adds where a text leaves them out. */
const IMPLIED = /^(?:html|head|body|tbody|tr|colgroup)$/

/**
 * Whether an element, or one around it, stands in the text outside of the element that holds it in the tree, or in one
 * that the parser has built again.
 */
const isMoved = (element: Element): boolean => {
  for (let inner: Element = element; ; ) {
    const outer = inner.parentNode
    if (!outer || !isElement(outer)) return false
    const [place, around] = [inner.sourceCodeLocation, outer.sourceCodeLocation]
    if (!around && !IMPLIED.test(outer.tagName)) return true
    if (place && around?.startTag && (place.startOffset < around.startOffset || place.endOffset > around.endOffset))
      return true
    inner = outer
  }
}

/**
 * Whether the text of an element is the element: tags that are closed in another order than they are opened are put right
 * by the parser, so that a change of the one is a change of others.
 */
export const isWellNested = (html: string, element: Element): boolean => {
  const place = element.sourceCodeLocation
  if (!place || isMoved(element)) return false
  const { parentNode: parent } = element
  // Of a whole page, its parts are looked at when they are changed.
  const isPage =
    /^(?:html|head|body)$/.test(element.tagName) || element.attrs.some(({ name }) => name === 'data-composition-id')
  if (isPage || !parent || !isElement(parent)) return true
  const [read, ...others] = parseNodes(parent, html.slice(place.startOffset, place.endOffset))
  return others.length === 0 && read !== undefined && treeText(read) === treeText(element)
}
