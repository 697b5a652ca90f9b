import type { Clock } from '../clock/clock.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { asRuntime } from '../realm/runtime-reads.ts'
import type { Layout } from './layout.ts'
import type { Shadows } from './shadows.ts'
import { readWindows, type TimeWindows } from './windows.ts'

/** Facts derived from the page's markup, updated when the markup changes. */
export interface DocumentWatch {
  /** The time windows of the document as it is now. */
  windows(): TimeWindows
  /** When the nearest timed element around an element starts, in ms. */
  startOf(element: Element): number
  /** Reads the markup again, after a change that is not in the markup. */
  refresh(): void
}

/** The parts that read the markup. */
export interface DocumentWatchParts {
  readonly realm: Realm
  readonly shadows: Pick<Shadows, 'onTree' | 'search' | 'elementsOf'>
  readonly clock: Clock
  readonly layout: Layout
  /** Writes the variables into the markup below a root. */
  bindVariables(root: HTMLElement | null): void
  /** Length of a composition's timelines in seconds. */
  lengthOf(composition: Element): number | undefined
  /** Runs a call that must find elements of the whole document, also inside a script of an embedded composition. */
  inWholeDocument<T>(call: () => T): T
}

const ATTRIBUTES = [
  'id',
  'data-start',
  'data-duration',
  'data-end',
  'data-composition-id',
  'data-root',
  'src',
  'data-media-start',
  'data-playback-start',
  'data-playback-rate',
]

/** Watches the document of the top window, and its shadow trees. */
export const watchDocument = (parts: DocumentWatchParts): DocumentWatch => {
  const { realm, shadows, clock, layout, bindVariables, lengthOf, inWholeDocument } = parts
  let current: TimeWindows | undefined
  const update = () => {
    current = undefined
    bindVariables(layout.markRoot())
    if (clock.started) layout.place()
  }
  const refresh = () => asRuntime(() => inWholeDocument(update))
  const observer = new MutationObserver(refresh)
  const watch = (tree: Document | ShadowRoot) =>
    observer.observe(tree, { subtree: true, childList: true, attributeFilter: ATTRIBUTES })
  let hasNewTree = false
  watch(document)
  // The last element of the markup is finished then, without any further change.
  natives.listen.call(document, 'readystatechange', refresh)
  shadows.onTree((tree) => {
    if (tree.ownerDocument !== document) return
    watch(tree)
    hasNewTree = true
  })
  const find = (selector: string) => shadows.elementsOf(realm, selector)
  const windows = (): TimeWindows => {
    shadows.search(realm)
    if (observer.takeRecords().length || hasNewTree) {
      hasNewTree = false
      refresh()
    }
    current ??= inWholeDocument(() => readWindows({ root: layout.markRoot(), find, lengthOf }))
    return current
  }
  return { windows, refresh, startOf: (element) => windows().windowOf(element).start * 1000 }
}
