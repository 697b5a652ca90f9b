/** An element as a CSS selector that a person recognises: tag name, and id or first class. */
export const describeElement = ({ tagName, id, classList }: Element): string =>
  `${tagName.toLowerCase()}${id ? `#${id}` : classList[0] ? `.${classList[0]}` : ''}`
