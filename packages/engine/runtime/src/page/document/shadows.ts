import type { Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'
import { elementsIn } from './flat-tree.ts'

/** The shadow trees of all windows, which no document lists: open ones, and closed ones that a script has attached. */
export interface Shadows {
  install(realm: Realm): void
  /** Calls a listener with each tree, the known ones first, before anything in the tree has loaded. */
  onTree(listener: (tree: ShadowRoot) => void): void
  /** Finds the trees of markup that was added to a window's document or to its known trees. */
  search(window: Pick<Realm, 'document'>): void
  /** A window's document and the shadow trees in it. */
  treesOf(window: Pick<Realm, 'document'>): (Document | ShadowRoot)[]
  /** The elements of a window's document and its shadow trees that match a selector, in document order. */
  elementsOf(realm: Realm, selector: string): Element[]
}

const WATCHED = { childList: true, subtree: true }

/** The open shadow trees of nodes and of those below them, but not those inside the trees. */
const openTreesIn = (nodes: readonly Node[]): ShadowRoot[] => {
  const seen = new Set<Node>()
  const trees: ShadowRoot[] = []
  for (const node of nodes) {
    // What a parser adds is named by itself, and is in what it has added before.
    if (seen.has(node)) continue
    // Not by `children`: a field of that name in a form takes its place.
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_ELEMENT)
    for (let each: Node | null = node; each; each = walker.nextNode()) {
      seen.add(each)
      const { shadowRoot } = each as Partial<Element>
      if (shadowRoot?.nodeType === Node.DOCUMENT_FRAGMENT_NODE) trees.push(shadowRoot)
    }
  }
  return trees
}

/** Creates an empty record. */
export const createShadows = (): Shadows => {
  const trees = new Set<ShadowRoot>()
  const documents = new WeakSet<Document>()
  const listeners: ((tree: ShadowRoot) => void)[] = []
  const observer = new MutationObserver((records) => find(records))

  const add = (tree: ShadowRoot) => {
    if (trees.has(tree)) return
    trees.add(tree)
    observer.observe(tree, WATCHED)
    for (const listener of listeners) listener(tree)
    for (const inner of openTreesIn([tree])) add(inner)
  }
  const find = (records: readonly MutationRecord[]) => {
    for (const tree of openTreesIn(records.flatMap(({ addedNodes }) => [...addedNodes]))) add(tree)
  }
  const search = ({ document }: Pick<Realm, 'document'>) => {
    if (!documents.has(document)) {
      documents.add(document)
      observer.observe(document, WATCHED)
      for (const tree of openTreesIn([document])) add(tree)
    }
    find(observer.takeRecords())
  }
  const treesOf = ({ document }: Pick<Realm, 'document'>) => {
    search({ document })
    return [document, ...[...trees].filter((tree) => tree.ownerDocument === document)]
  }
  return {
    install(realm) {
      search(realm)
      const { attachShadow } = realm.Element.prototype
      replaceMethod(realm.Element.prototype, 'attachShadow', function (this: Element, init) {
        const tree = attachShadow.call(this, init)
        add(tree)
        return tree
      })
    },
    onTree(listener) {
      listeners.push(listener)
      for (const tree of trees) listener(tree)
    },
    search,
    treesOf,
    elementsOf: (realm, selector) => elementsIn(treesOf(realm), selector),
  }
}
