import { isShadowRoot } from './flat-tree.ts'

/** The element of the top window's document and its shadow trees that stands for one in a frame: times are read there. */
export const anchorOf = (element: Element): Element => {
  const holder = element.ownerDocument.defaultView?.frameElement
  return holder ? anchorOf(holder) : element
}

/** The element of its document around the shadow tree that an element is in, or itself. */
export const hostOf = (element: Element): Element => {
  const tree = element.getRootNode()
  return isShadowRoot(tree) ? hostOf(tree.host) : element
}
