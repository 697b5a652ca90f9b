/** The elements of a tree that match a selector, queried again only when nodes were added or removed. */
export type Finder = (tree: Document | ShadowRoot) => readonly Element[]

/** Creates a finder, which observes the trees. */
export const createFinder = (selector: string): Finder => {
  const entries = new WeakMap<Node, { observer: MutationObserver; isOld: boolean; elements: Element[] }>()
  return (tree) => {
    let entry = entries.get(tree)
    if (!entry) {
      const fresh = { observer: new MutationObserver(() => (fresh.isOld = true)), isOld: true, elements: [] }
      fresh.observer.observe(tree, { childList: true, subtree: true })
      entries.set(tree, fresh)
      entry = fresh
    }
    if (entry.observer.takeRecords().length || entry.isOld) {
      entry.isOld = false
      entry.elements = [...tree.querySelectorAll(selector)]
    }
    return entry.elements
  }
}
