import type { Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'

/** The shadow trees of all windows, whose animations no document lists. */
export interface Shadows {
  install(realm: Realm, onAttach: (tree: ShadowRoot) => void): void
  /** A window's document and the shadow trees in it. */
  treesOf(realm: Realm): (Document | ShadowRoot)[]
}

/** Creates an empty record; trees written in markup are found when the document has been parsed. */
export const createShadows = (): Shadows => {
  const trees = new Set<ShadowRoot>()
  const parsed = new WeakSet<Document>()
  const findParsed = (scope: ParentNode) => {
    for (const { shadowRoot } of scope.querySelectorAll('*')) {
      if (!shadowRoot || trees.has(shadowRoot)) continue
      trees.add(shadowRoot)
      findParsed(shadowRoot)
    }
  }
  return {
    install(realm, onAttach) {
      const { attachShadow } = realm.Element.prototype
      replaceMethod(realm.Element.prototype, 'attachShadow', function (this: Element, init) {
        const tree = attachShadow.call(this, init)
        trees.add(tree)
        onAttach(tree)
        return tree
      })
    },
    treesOf({ document }) {
      if (document.readyState === 'complete' && !parsed.has(document)) {
        parsed.add(document)
        findParsed(document)
      }
      return [document, ...[...trees].filter((tree) => tree.ownerDocument === document)]
    },
  }
}
