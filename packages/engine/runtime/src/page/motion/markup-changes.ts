const EVERYTHING: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true }

/**
 * Creates a function that tells whether the markup in any of some documents and shadow trees has changed since it was called
 * last, or whether they are other ones.
 */
export const createMarkupChanges = (): ((trees: readonly Node[]) => boolean) => {
  const watched = new Set<Node>()
  let hasChanged = false
  const observer = new MutationObserver(() => {
    hasChanged = true
  })
  return (trees) => {
    const isNew = observer.takeRecords().length > 0 || hasChanged
    hasChanged = false
    if (trees.length === watched.size && trees.every((tree) => watched.has(tree))) return isNew
    observer.disconnect()
    watched.clear()
    for (const tree of trees) {
      watched.add(tree)
      observer.observe(tree, EVERYTHING)
    }
    return true
  }
}
