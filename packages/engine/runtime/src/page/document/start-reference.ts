import { isShadowRoot } from './flat-tree.ts'
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

type Names = Map<string, Element>

/** The elements of a tree by composition and name, DOM id or composition id; the first one has the name. */
type Index = Map<Node, Map<Element | null, Names>>

const indexNames = (elements: readonly Element[]): Index => {
  const index: Index = new Map()
  for (const element of elements) {
    const tree = element.getRootNode()
    const compositions = index.get(tree) ?? new Map<Element | null, Names>()
    index.set(tree, compositions)
    const composition = compositionOf(element)
    const names: Names = compositions.get(composition) ?? new Map<string, Element>()
    compositions.set(composition, names)
    for (const name of [element.id, element.getAttribute('data-composition-id')])
      if (name && !names.has(name)) names.set(name, element)
  }
  return index
}

/**
 * Creates the lookup of references, for the document at the time of its first use. A name is looked for in the shadow tree of
 * an element first, and then in the trees around it.
 */
export const createReferences = (
  find: (selector: string) => Element[],
): ((element: Element, text: string) => StartReference) => {
  let index: Index | undefined
  return (element, text) => {
    index ??= indexNames(find('[id],[data-composition-id]'))
    const composition = compositionOf(element)
    const named = (name: string): Element | undefined => {
      for (let tree = element.getRootNode(); ; tree = tree.host.getRootNode()) {
        const target = index?.get(tree)?.get(composition)?.get(name)
        if (target || !isShadowRoot(tree)) return target
      }
    }
    const [, id = text, plus, , amount = '0'] = OFFSET.exec(text) ?? []
    // A name that looks like an offset is still a name.
    const whole = named(text)
    return {
      target: whole ?? named(id),
      offset: whole ? 0 : (plus ? 1 : -1) * Number(amount),
    }
  }
}
