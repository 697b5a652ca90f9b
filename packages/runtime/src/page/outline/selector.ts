/** An element as a selector would write it, so that those of one kind share a name. */
export const selectorOf = (element: Element): string => {
  const [first] = element.classList
  if (element.id) return `#${element.id}`
  return first === undefined ? element.localName : `.${first}`
}
