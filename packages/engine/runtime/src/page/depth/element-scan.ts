import type { Realm } from '../realm/natives.ts'
import type { StyledElements, Tree } from '../styles/styled-elements.ts'

/** Values of an inline style with which an element needs no visit: it stays in its plane and filters nothing. */
const WATCHED_STYLE =
  /preserve|backface|backdrop|will-change|matrix3d|perspective|rotate[XY3]|translateZ|translate3d\((?!.*, 0px\))|rotate:|translate:|inherit|var\(/

/** Classes may give an element a gradient, inline styles anything. */
const WATCHED = ['style', 'class']

/** The roots of subtrees that a change may affect. */
const changedRoots = (realm: Realm, records: readonly MutationRecord[]): Element[] =>
  records.flatMap(({ type, target, attributeName, addedNodes }) => {
    const element = target as Element
    if (type !== 'attributes') return [...addedNodes].filter((node) => node instanceof realm.Element)
    const isWatched = attributeName !== 'style' || WATCHED_STYLE.test(element.getAttribute('style') ?? '')
    return isWatched ? [element] : []
  })

/** Whether a change added or removed an element, not only text. */
const isStructural = ({ addedNodes, removedNodes }: MutationRecord): boolean =>
  [...addedNodes, ...removedNodes].some(({ nodeType }) => nodeType === Node.ELEMENT_NODE)

/** The visitor of a page's elements. */
export interface ScanParts {
  /** The document of the window and its shadow trees. */
  trees(): readonly Tree[]
  readonly styled: StyledElements
  /** The elements that animations move. */
  animated(): Iterable<Element>
  /** Selector of elements that are visited in every run. */
  readonly always?: string
  /** Called with each element that may differ from its last visit; the reason that it returns ends the scan. */
  visit(element: Element): string | undefined
  /** Called when elements may have been added or removed. */
  changed?(): void
  /** Whether the last visit of an element has changed its styles. */
  isHeld(element: Element): boolean
  /** Called when elements that are held, or that styles or animations change, may have other styles than before. */
  restyled(): void
}

/** Visits the elements of a document. */
export interface ElementScan {
  /** Visits all elements at first, then those that may have changed; returns the first reason. */
  run(): string | undefined
  /** The elements that style sheets may have given a property that needs examination, at the last run. */
  styled(): readonly Element[]
  /** A number that increased at a run if elements had been added or removed since the run before. */
  structure(): number
}

/** Visits elements that are in the page; returns the first reason. */
const visitEach = (elements: Iterable<Element>, visit: ScanParts['visit']): string | undefined => {
  for (const element of elements) {
    const reason = element.isConnected ? visit(element) : undefined
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Creates a scan of the elements in a window's body and in the shadow trees of its document. */
export const createElementScan = (realm: Realm, parts: ScanParts): ElementScan => {
  const { trees, styled, animated, always, visit, isHeld, restyled } = parts
  const records: MutationRecord[] = []
  const observer = new realm.MutationObserver((list) => records.push(...list))
  /** Roots with a reason, or not visited because of one: they are visited again although unchanged. */
  let suspects = new Set<Element>()
  const begun = new WeakSet<Tree>()
  let examined: readonly Element[] = []
  let matched: readonly Element[] = []
  let structure = 0

  /** The roots of a tree that is new. */
  const begin = (tree: Tree): Element[] => {
    if (begun.has(tree)) return []
    begun.add(tree)
    observer.observe(tree, { subtree: true, childList: true, attributeFilter: WATCHED })
    return tree === realm.document ? [realm.document.body] : [...tree.children]
  }

  const scanChanges = (): string | undefined => {
    const changed = records.splice(0).concat(observer.takeRecords())
    if (changed.some(isStructural)) structure += 1
    if (changed.some(({ target }) => isHeld(target as Element))) restyled()
    const changes = changedRoots(realm, changed)
    const roots = new Set([...suspects, ...trees().flatMap(begin), ...changes])
    suspects = new Set()
    if (roots.size > 0) parts.changed?.()
    for (const root of roots) {
      const reason = root.isConnected ? visitEach([root, ...root.querySelectorAll('*')], visit) : undefined
      if (reason !== undefined) {
        suspects = roots
        return reason
      }
    }
    return undefined
  }

  const scanStyled = (): string | undefined => {
    matched = styled.find(trees())
    const elements = [...matched, ...animated()]
    const isSame = elements.length === examined.length && elements.every((each, index) => each === examined[index])
    if (!isSame) restyled()
    examined = elements
    return visitEach(elements, visit)
  }

  return {
    styled: () => matched,
    structure: () => structure,
    run: () =>
      scanChanges() ??
      scanStyled() ??
      (always
        ? visitEach(
            trees().flatMap((tree) => [...tree.querySelectorAll(always)]),
            visit,
          )
        : undefined),
  }
}
