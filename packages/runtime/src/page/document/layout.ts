import type { PageConfig } from '../../contract/page-config.ts'
import type { Realm } from '../realm/natives.ts'
import { findRoot } from './root.ts'
import { createSheet, type Sheet } from './sheet.ts'

/** Gives the page the layout that every composition expects: no margins, one root of fixed size. */
export interface Layout {
  /** Marks the root as soon as it is parsed, so that scripts measure the final box. */
  markRoot(): HTMLElement | null
  /** Places the timed children of compositions; run again when elements are added. */
  place(): void
  /** Sets what depends on the loaded page: its background. */
  finish(): void
}

/** Hosts that are not timed, and the authored roots of embedded files. */
const BOXES = '[data-vid-instance]:not([data-start]),[data-vid-instance]>[data-composition-id]'

/** Both boxes of the page, with a specificity that no selector of a page is likely to exceed. */
const PAGE = ':is(html,body):not(#vid-none#vid-none)'

/**
 * `will-change: contents` keeps Chromium from giving hinted and animated elements layers of their own, whose edges
 * would be smoothed while they move. The rule for videos hides the button to cast them.
 */
const css = ({ width, height, alpha }: PageConfig) => `
html{will-change:contents!important}
video::-webkit-media-controls-overlay-enclosure{display:none!important}
${PAGE}{margin:0!important;padding:0!important;overflow:hidden!important}
[data-vid-root]{position:relative!important;overflow:hidden!important;width:${width}px!important;height:${height}px!important;min-width:0!important;min-height:0!important;max-width:none!important;max-height:none!important;box-sizing:border-box!important}
[data-vid-placed]{position:absolute!important}
:where([data-vid-anchored]){left:0;top:0}
:where([data-vid-box]){position:relative}
[data-vid-wide]{width:100%!important}
[data-vid-tall]{height:100%!important}
${alpha ? `${PAGE}{background:transparent!important}` : '[data-vid-white]{background-color:#fff!important}'}`

const isClear = (element: Element) => {
  const { backgroundColor, backgroundImage } = getComputedStyle(element)
  return /^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor) && backgroundImage === 'none'
}

/** The authored anchors: computed offsets of an absolute box are always lengths, those of a static one keep `auto`. */
const hasAnchor = (child: HTMLElement): boolean => {
  child.style.setProperty('position', 'static', 'important')
  const { left, top, right, bottom } = getComputedStyle(child)
  const anchored = [left, top, right, bottom].some((anchor) => anchor !== 'auto')
  child.style.removeProperty('position')
  return anchored
}

const placeChild = (child: HTMLElement) => {
  const { position, display } = getComputedStyle(child)
  if (position !== 'absolute' && position !== 'fixed') {
    const inline = child.style.getPropertyValue('position')
    const priority = child.style.getPropertyPriority('position')
    if (!hasAnchor(child)) child.setAttribute('data-vid-anchored', '')
    child.style.setProperty('position', inline, priority)
    child.setAttribute('data-vid-placed', '')
  }
  if (display !== 'none') stretch(child)
}

const stretch = (child: HTMLElement) => {
  if (child.offsetWidth === 0) child.setAttribute('data-vid-wide', '')
  if (child.offsetHeight === 0) child.setAttribute('data-vid-tall', '')
}

/** An embedded file is a box to its content, as when it is rendered by itself. */
const placeBox = (child: HTMLElement) => {
  child.setAttribute('data-vid-box', '')
  stretch(child)
}

/** Creates the layout of the page; its style sheet applies from the start. */
export const createLayout = (realm: Realm, config: PageConfig): Layout & { sheet: Sheet } => {
  const sheet = createSheet(realm, css(config))
  const placed = new WeakSet<Element>()
  let root: HTMLElement | null = null
  return {
    sheet,
    markRoot() {
      const found = findRoot()
      if (found && found !== root) {
        root?.removeAttribute('data-vid-root')
        found.setAttribute('data-vid-root', '')
        root = found
      }
      return root
    },
    place() {
      sheet.attach()
      const timed = '[data-start]'
      for (const child of document.querySelectorAll(
        `[data-vid-root]>${timed},[data-composition-id]>${timed},[data-composition-src]>${timed},${BOXES}`,
      )) {
        if (placed.has(child) || !(child instanceof HTMLElement) || child.localName === 'audio') continue
        placed.add(child)
        if (child.matches('[data-start]')) placeChild(child)
        else placeBox(child)
      }
    },
    finish() {
      // Only an inline style beats one that says `!important`.
      if (config.alpha)
        for (const page of [document.documentElement, document.body])
          page?.style.setProperty('background', 'transparent', 'important')
      if (!config.alpha && document.body && isClear(document.documentElement) && isClear(document.body))
        document.documentElement.setAttribute('data-vid-white', '')
    },
  }
}
