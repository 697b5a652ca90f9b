import type { PageConfig } from '../../contract/page-config.ts'
import { WITHOUT_ELEMENT_CANVASES } from '../raster/element-canvas.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { createDeclaredSizes } from './declared-size.ts'
import { ownerOf } from './flat-tree.ts'
import { placeElements } from './placement.ts'
import { findRootElement } from './root.ts'
import type { Shadows } from './shadows.ts'
import { createSheet, type RuntimeSheet } from './sheet.ts'

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

const COMPOSITIONS = '[data-vid-root],[data-composition-id],[data-composition-src]'

/** Both boxes of the page, with a specificity that no selector of a page is likely to exceed. */
const PAGE = ':is(html,body):not(#vid-none#vid-none)'

/**
 * `will-change: contents` prevents Chromium from giving hinted and animated elements separate layers, with edges
 * that would be antialiased while they move. A caret blinks by the real clock unless its animation is left to the page.
 * The rule for videos hides the cast button.
 */
const css = ({ width, height, alpha, raster }: PageConfig) => `
html{will-change:contents!important}
*{caret-animation:manual!important}
video::-webkit-media-controls-overlay-enclosure{display:none!important}
${PAGE}{margin:0!important;overflow:hidden!important}
${PAGE}:not([data-vid-root]){padding:0!important}
[data-vid-root]{position:relative!important;overflow:hidden!important;width:${width}px!important;height:${height}px!important;min-width:0!important;min-height:0!important;max-width:none!important;max-height:none!important;box-sizing:border-box!important}
[data-vid-placed]{position:absolute!important}
[data-vid-root][data-vid-block]{display:block!important}
:where([data-vid-anchored]){left:0;top:0}
:where([data-vid-box]){position:relative}
[data-vid-wide]{width:100%!important}
[data-vid-tall]{height:100%!important}
${raster ? WITHOUT_ELEMENT_CANVASES : ''}
${alpha ? `${PAGE}{background:transparent!important}` : ':where([data-vid-white]){background-color:#fff}'}`

const isClear = (element: Element) => {
  const { backgroundColor, backgroundImage } = natives.getComputedStyle(element)
  return /^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor) && backgroundImage === 'none'
}

/** Makes a root a box: one that is `inline` or `contents` would have no size. */
const makeBlock = (root: Element) => {
  if (/^(inline|contents)$/.test(natives.getComputedStyle(root).display)) root.setAttribute('data-vid-block', '')
}

/** Whether an element is a box, or a timed child of a composition, which may be the host of its shadow tree. */
const isPlaced = (element: Element) => element.matches(BOXES) || ownerOf(element)?.matches(COMPOSITIONS) === true

/** Creates the layout of the page; its style sheet applies from the start. */
export const createLayout = (
  realm: Realm,
  config: PageConfig,
  { treesOf, elementsOf }: Pick<Shadows, 'treesOf' | 'elementsOf'>,
): Layout & { sheet: RuntimeSheet } => {
  const sheet = createSheet(realm, css(config))
  const giveSizes = createDeclaredSizes(sheet)
  const placed = new WeakSet<Element>()
  let root: HTMLElement | null = null
  return {
    sheet,
    markRoot() {
      const newRoot = findRootElement()
      if (newRoot && newRoot !== root) {
        root?.removeAttribute('data-vid-root')
        newRoot.setAttribute('data-vid-root', '')
        root = newRoot
      }
      return root
    },
    place() {
      for (const tree of treesOf(realm)) sheet.include(tree)
      sheet.attach()
      if (root) makeBlock(root)
      const added = elementsOf(realm, `[data-start],${BOXES}`).filter(
        (child): child is HTMLElement =>
          child instanceof HTMLElement && child.localName !== 'audio' && !placed.has(child) && isPlaced(child),
      )
      for (const child of added) placed.add(child)
      placeElements(added, giveSizes)
    },
    finish() {
      // Only an inline style overrides an `!important` rule.
      if (config.alpha)
        for (const page of [document.documentElement, document.body])
          page?.style.setProperty('background', 'transparent', 'important')
      if (!config.alpha && document.body && isClear(document.documentElement) && isClear(document.body))
        document.documentElement.setAttribute('data-vid-white', '')
    },
  }
}
