/** The element of the top document that stands for an element of a shadow tree or a frame: times are read there. */
export const anchorOf = (element: Element): Element => {
  const tree = element.getRootNode()
  const holder = 'host' in tree ? (tree as ShadowRoot).host : element.ownerDocument.defaultView?.frameElement
  return holder ? anchorOf(holder) : element
}
