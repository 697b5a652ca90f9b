import { hostOf } from '../document/anchor.ts'
import { createSheet } from '../document/sheet.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { watchForcedStyles } from './forced-styles.ts'

/** The transitions of a window that loads. */
export interface LoadTransitions {
  include(tree: ShadowRoot): void
  /** Lets all of the page's transitions start. */
  allow(): void
}

const { getBoundingClientRect } = Element.prototype

const isNonBlocking = (entry: PerformanceEntry) =>
  'renderBlockingStatus' in entry && entry.renderBlockingStatus === 'non-blocking'

/** Whether a style sheet came at a moment of its own: scripts do not wait for it, so the network decides what precedes it. */
const hasLateSheet = ({ document, performance }: Realm): boolean => {
  const addresses = new Set([...document.styleSheets].map(({ href }) => href))
  return performance.getEntriesByType('resource').some((entry) => addresses.has(entry.name) && isNonBlocking(entry))
}

/** The elements of a document that were there when a script had styles computed. */
const createComputedElements = (document: Document) => {
  let computed = new WeakSet<Node>()
  let added: Node[] = [document]
  const collect = (records: readonly MutationRecord[]) => {
    for (const { addedNodes } of records) added.push(...addedNodes)
  }
  const observer = new MutationObserver(collect)
  observer.observe(document, { childList: true, subtree: true })
  return {
    has: (element: Element) => computed.has(element),
    /** Whether elements have come since the last call of `addNew`. */
    hasNew() {
      collect(observer.takeRecords())
      return added.length > 0
    },
    addNew() {
      collect(observer.takeRecords())
      for (const node of added)
        if ('querySelectorAll' in node) {
          computed.add(node)
          for (const element of (node as Element).querySelectorAll('*')) computed.add(element)
        }
      added = []
    },
    end(forgetAll: boolean) {
      observer.disconnect()
      if (forgetAll) computed = new WeakSet()
    },
  }
}

/**
 * Keeps the style changes of a loading window from starting transitions, but for those that start in every browser: of
 * elements whose styles a script had computed before (`element.offsetWidth`, then a class). How often a browser computes
 * styles by itself until the load event depends on the network.
 */
export const createLoadTransitions = (realm: Realm): LoadTransitions => {
  const { document } = realm
  const none = createSheet(realm, '*,::before,::after{transition:none!important}')
  const computed = createComputedElements(document)
  let state: 'none' | 'forced' | 'computing' | 'allowed' = 'none'

  const computeStyles = () => {
    if (document.documentElement) getBoundingClientRect.call(document.documentElement)
  }
  /** Ends the transitions of elements for which no script had styles computed. */
  const endOthers = () => {
    for (const animation of document.getAnimations()) {
      const { target } = animation.effect as KeyframeEffect
      if ('transitionProperty' in animation && target && !computed.has(hostOf(target)))
        natives.animation.cancel.call(animation)
    }
  }
  const forced = () => {
    if (state === 'computing' || state === 'allowed') return
    const isFirst = state === 'none'
    // What the script reads computes the styles of what was there before.
    if (!isFirst && !computed.hasNew()) return
    state = 'computing'
    computeStyles()
    if (isFirst) none.detach()
    else endOthers()
    computed.addNew()
    // Without the sheet, the values are the same: nothing starts now.
    if (isFirst) computeStyles()
    state = 'forced'
  }
  const stop = watchForcedStyles(realm, forced)

  return {
    include(tree) {
      if (state === 'none') none.include(tree)
    },
    allow() {
      if (state === 'allowed') return
      const wasForced = state === 'forced'
      state = 'allowed'
      stop()
      computeStyles()
      computed.end(hasLateSheet(realm))
      if (wasForced) endOthers()
      none.detach()
      computeStyles()
    },
  }
}
