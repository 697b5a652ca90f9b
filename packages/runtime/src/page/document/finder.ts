/** Elements of a tree that match a selector, looked for again only when nodes have come or gone. */
export type Finder = (tree: Document | ShadowRoot) => readonly Element[]

/** Makes a finder; the tree's own changes tell it when to look. */
export const createFinder = (selector: string): Finder => {
  const known = new WeakMap<Node, { observer: MutationObserver; isOld: boolean; found: Element[] }>()
  return (tree) => {
    let entry = known.get(tree)
    if (!entry) {
      const fresh = { observer: new MutationObserver(() => (fresh.isOld = true)), isOld: true, found: [] }
      fresh.observer.observe(tree, { childList: true, subtree: true })
      known.set(tree, fresh)
      entry = fresh
    }
    if (entry.observer.takeRecords().length || entry.isOld) {
      entry.isOld = false
      entry.found = [...tree.querySelectorAll(selector)]
    }
    return entry.found
  }
}
