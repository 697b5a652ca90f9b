import type { Clock } from '../clock/clock.ts'
import type { Layout } from './layout.ts'
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

/** Watches the top document. */
export const watchDocument = (parts: DocumentWatchParts): DocumentWatch => {
  const { clock, layout, bindVariables, lengthOf, inWholeDocument } = parts
  let current: TimeWindows | undefined
  const refresh = () =>
    inWholeDocument(() => {
      current = undefined
      bindVariables(layout.markRoot())
      if (clock.started) layout.place()
    })
  const observer = new MutationObserver(refresh)
  observer.observe(document, { subtree: true, childList: true, attributeFilter: ATTRIBUTES })
  const windows = (): TimeWindows => {
    if (observer.takeRecords().length) refresh()
    current ??= inWholeDocument(() => readWindows(layout.markRoot(), lengthOf))
    return current
  }
  return { windows, refresh, startOf: (element) => windows().windowOf(element).start * 1000 }
}
