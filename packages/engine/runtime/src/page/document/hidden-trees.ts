import type { Realm } from '../realm/natives.ts'
import { createFinder } from './finder.ts'

/** Elements with a user-agent shadow tree, in which styles of the page can animate parts. */
const HOSTS = 'audio[controls],details,input,marquee,meter,progress,select,textarea,use,video[controls]'

/** The user-agent shadow trees, which scripts cannot access and only a driver opens. */
export interface HiddenTrees {
  /** Whether any element has a tree that is not opened yet. */
  hasClosed(): boolean
  /** Whether a `<marquee>` has not started to move, which happens once the browser has drawn it. */
  isBeginning(): boolean
  /** Requests the driver to open them; resolves when it has. */
  open(): Promise<void>
  /** For the driver: an element whose tree is to be opened. */
  hostAt(index: number): Element | undefined
  /** For the driver: adds a tree. */
  add(tree: ShadowRoot): void
  /** For the driver: all trees have been added. */
  opened(): void
  /** The trees in a window that are shown. */
  treesOf(realm: Realm): ShadowRoot[]
}

/** The parts of a page that hold such elements, and the driver's function that opens trees, where there is one. */
export interface HiddenTreesParts {
  readonly realms: Iterable<Realm>
  readonly openTrees: ((count: string) => void) | undefined
  treesOf(realm: Realm): (Document | ShadowRoot)[]
}

/** Whether a tree belongs to a `<marquee>` that is shown and does not move yet. */
const isStillMarquee = (tree: ShadowRoot): boolean =>
  tree.host.localName === 'marquee' && tree.host.getClientRects().length > 0 && tree.getAnimations().length === 0

/** Creates the record of all windows, with no tree opened. */
export const createHiddenTrees = ({ realms, openTrees, treesOf }: HiddenTreesParts): HiddenTrees => {
  const find = createFinder(HOSTS)
  const trees = new Set<ShadowRoot>()
  const seen = new WeakSet<Element>()
  /** The last result of the finder for each tree, so that only changed trees are processed. */
  const searched = new WeakMap<Node, readonly Element[]>()
  let closed: Element[] = []
  let opening: { readonly promise: Promise<void>; resolve(): void } | undefined

  const search = (tree: Document | ShadowRoot) => {
    const hosts = find(tree)
    if (searched.get(tree) === hosts) return
    searched.set(tree, hosts)
    for (const host of hosts) {
      if (!seen.has(host)) closed.push(host)
      seen.add(host)
    }
  }
  const shownTrees = () => {
    for (const tree of trees) if (!tree.isConnected) forget(tree)
    return trees
  }
  const forget = (tree: ShadowRoot) => {
    trees.delete(tree)
    seen.delete(tree.host)
  }
  return {
    hasClosed() {
      if (!openTrees) return false
      if (opening) return true
      for (const realm of realms) for (const tree of treesOf(realm)) search(tree)
      for (const tree of shownTrees()) search(tree)
      closed = closed.filter((host) => host.isConnected)
      return closed.length > 0
    },
    isBeginning: () => [...trees].some(isStillMarquee),
    open() {
      if (opening) return opening.promise
      let resolve = () => {}
      const promise = new Promise<void>((settle) => {
        resolve = settle
      })
      opening = { promise, resolve }
      openTrees?.(String(closed.length))
      return promise
    },
    hostAt: (index) => closed[index],
    add: (tree) => void trees.add(tree),
    opened() {
      closed = []
      opening?.resolve()
      opening = undefined
    },
    treesOf: ({ document }) => [...shownTrees()].filter((tree) => tree.ownerDocument === document),
  }
}

/** Takes the driver's function out of a window, so that no script of the page finds it. */
export const takeOpener = (realm: Realm, name: string): ((count: string) => void) | undefined => {
  const opener = Reflect.get(realm, name) as unknown
  Reflect.deleteProperty(realm, name)
  return typeof opener === 'function' ? (opener as (count: string) => void).bind(realm) : undefined
}
