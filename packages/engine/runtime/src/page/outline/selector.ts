/** A selector-like name of an element, which elements of one kind share. */
export const kindSelector = (element: Element): string => {
  const [first] = element.classList
  if (element.id) return `#${element.id}`
  return first === undefined ? element.localName : `.${first}`
}
