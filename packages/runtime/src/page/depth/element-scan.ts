import type { Realm } from '../realm/natives.ts'

/** An inline style that has changed needs a visit only if it matches. */
const WATCHED_STYLE =
  /preserve|backface|backdrop|will-change|matrix3d|perspective|rotate[XY3]|translateZ|translate3d\((?!.*, 0px\))|rotate:|translate:|inherit/

const WATCHED = ['style', 'class', 'width', 'height', 'layoutsubtree', 'open', 'popover', 'sandbox', 'src', 'srcdoc']

/** The roots of subtrees that a change may affect. */
const changedRoots = (realm: Realm, records: readonly MutationRecord[]): Element[] =>
  records.flatMap(({ type, target, attributeName, addedNodes }) => {
    const element = target as Element
    if (type !== 'attributes')
      return [...addedNodes]
        .filter((node) => node instanceof realm.Element)
        .map((node) => (/^(style|link)$/.test(node.localName) ? realm.document.body : node))
    const isWatched = attributeName !== 'style' || WATCHED_STYLE.test(element.getAttribute('style') ?? '')
    return isWatched ? [element] : []
  })

/** The visitor of a page's elements. */
export interface ScanParts {
  /** The elements that animations move. */
  animated(): Iterable<Element>
  /** Called with each element that may differ from its last visit; the reason that it returns ends the scan. */
  visit(element: Element): string | undefined
}

/** Visits the elements of a document. */
export interface ElementScan {
  /** Visits all elements at first, then those that may have changed; returns the first reason. */
  run(): string | undefined
}

/**
 * Creates a scan of the elements in a window's body; `changed` is called when elements may have been added or removed.
 */
export const createElementScan = (
  realm: Realm,
  { animated, visit }: ScanParts,
  changed: () => void = () => {},
): ElementScan => {
  const { document } = realm
  const records: MutationRecord[] = []
  const observer = new realm.MutationObserver((list) => records.push(...list))
  /** Roots with a reason, or not visited because of one: they are visited again although unchanged. */
  let suspects = new Set<Element>()
  let begun = false

  const scan = (root: Element): string | undefined => {
    for (const element of [root, ...root.querySelectorAll('*')]) {
      const reason = visit(element)
      if (reason !== undefined) return reason
    }
    return undefined
  }

  const begin = (): Element[] => {
    begun = true
    observer.observe(document, { subtree: true, childList: true, attributeFilter: WATCHED })
    return [document.body]
  }

  const scanChanges = (): string | undefined => {
    records.push(...observer.takeRecords())
    const changes = changedRoots(realm, records.splice(0))
    const roots = new Set([...(begun ? suspects : begin()), ...changes])
    suspects = new Set()
    if (roots.size > 0) changed()
    for (const root of roots) {
      const reason = root.isConnected ? scan(root) : undefined
      if (reason !== undefined) {
        suspects = roots
        return reason
      }
    }
    return undefined
  }

  const scanAnimated = (): string | undefined => {
    for (const element of animated()) {
      const reason = element.isConnected ? visit(element) : undefined
      if (reason !== undefined) return reason
    }
    return undefined
  }

  return { run: () => scanChanges() ?? scanAnimated() }
}
