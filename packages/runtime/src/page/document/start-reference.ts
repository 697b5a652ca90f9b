import { compositionOf } from './root.ts'

/** The element that a `data-start` refers to, if it is not a number. */
export interface StartReference {
  /** The element at whose end it starts; undefined when there is none of that name. */
  readonly target: Element | undefined
  /** Seconds after that end. */
  readonly offset: number
}

/** The end of a named element with an offset, such as `intro + 0.5`; the same pattern as for the source text. */
const OFFSET = /^(.+?)(?:\s*(\+)|\s+(-))\s*(\d+\.?\d*|\.\d+)$/

type Names = ReadonlyMap<string, Element>

/** The elements of the document by composition and name, DOM id or composition id; the first one has the name. */
const indexNames = (): ReadonlyMap<Element | null, Names> => {
  const index = new Map<Element | null, Map<string, Element>>()
  for (const element of document.querySelectorAll('[id],[data-composition-id]')) {
    const composition = compositionOf(element)
    const names = index.get(composition) ?? new Map<string, Element>()
    index.set(composition, names)
    for (const name of [element.id, element.getAttribute('data-composition-id')])
      if (name && !names.has(name)) names.set(name, element)
  }
  return index
}

/** Creates the lookup of references, for the document at the time of its first use. */
export const createReferences = (): ((element: Element, text: string) => StartReference) => {
  let index: ReadonlyMap<Element | null, Names> | undefined
  return (element, text) => {
    index ??= indexNames()
    const names = index.get(compositionOf(element))
    const [, id = text, plus, , amount = '0'] = OFFSET.exec(text) ?? []
    // A name that looks like an offset is still a name.
    const named = names?.get(text)
    return {
      target: named ?? names?.get(id),
      offset: named ? 0 : (plus ? 1 : -1) * Number(amount),
    }
  }
}
