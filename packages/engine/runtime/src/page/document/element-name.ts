/** An element in messages: its tag, with its id. */
export const nameOf = (element: Element): string => `<${element.localName}${element.id && ` id="${element.id}"`}>`
