/** The element of the top window's document and its shadow trees that stands for one in a frame: times are read there. */
export const anchorOf = (element: Element): Element => {
  const holder = element.ownerDocument.defaultView?.frameElement
  return holder ? anchorOf(holder) : element
}
