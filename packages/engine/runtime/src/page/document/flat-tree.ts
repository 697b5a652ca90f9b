/** Whether a node is the root of a shadow tree; links have a property `host` too, which is a text. */
export const isShadowRoot = (node: Node | null): node is ShadowRoot =>
  node?.nodeType === Node.DOCUMENT_FRAGMENT_NODE && 'host' in node

/** The parent of an element, or the host of the shadow tree that it is at the top of. */
export const ownerOf = ({ parentNode }: Element): Element | null => {
  if (isShadowRoot(parentNode)) return parentNode.host
  return parentNode?.nodeType === Node.ELEMENT_NODE ? (parentNode as Element) : null
}

/**
 * The element that an element is drawn in, also across the borders of shadow trees: the slot that it is assigned to, else
 * its owner.
 */
export const parentOf = (element: Element): Element | null => element.assignedSlot ?? ownerOf(element)

/** The element and those that it is drawn in, innermost first. */
export const chainOf = (element: Element): Element[] => {
  const chain: Element[] = []
  for (let each: Element | null = element; each; each = parentOf(each)) chain.push(each)
  return chain
}

/** Whether an element is drawn in another, or is the same. */
export const isIn = (element: Element, around: Element | undefined): boolean =>
  around !== undefined && (around.contains(element) || chainOf(element).includes(around))

/** The nearest element that matches a selector, among the element and those that it is drawn in. */
export const closestOf = (element: Element | null, selector: string): Element | null => {
  for (let each = element; each; each = parentOf(each)) if (each.matches(selector)) return each
  return null
}

const byPlace = (a: Element, b: Element) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1)

/**
 * The elements of a document and of its shadow trees that match a selector, in document order: the content of a shadow tree
 * follows its host.
 */
export const elementsIn = ([document, ...shadows]: readonly (Document | ShadowRoot)[], selector: string): Element[] => {
  const inside = new Map<Node, ShadowRoot[]>()
  for (const shadow of shadows as ShadowRoot[]) {
    const root = shadow.host.getRootNode()
    inside.set(root, [...(inside.get(root) ?? []), shadow])
  }
  const find = (tree: Document | ShadowRoot): Element[] => {
    const matching = [...tree.querySelectorAll(selector)]
    const trees = new Map(inside.get(tree)?.map((shadow) => [shadow.host, shadow]))
    if (trees.size === 0) return matching
    const included = new Set(matching)
    return [...new Set([...matching, ...trees.keys()])].sort(byPlace).flatMap((element) => {
      const shadow = trees.get(element)
      return [...(included.has(element) ? [element] : []), ...(shadow ? find(shadow) : [])]
    })
  }
  return document ? find(document) : []
}
