import { natives, type Realm } from '../realm/natives.ts'
import type { Shadows } from './shadows.ts'
import { createSheet, type RuntimeSheet } from './sheet.ts'

/** Changes the painting of an element but not its layout; unlike a blend mode, it is never part of a transition. */
const REPAINTED = '{will-change:opacity!important}'

/** Creates a sheet of each tree when it is first needed. */
const createSheets = (css: string) => {
  const sheets = new WeakMap<Document | ShadowRoot, RuntimeSheet>()
  return (realm: Realm, tree: Document | ShadowRoot): RuntimeSheet => {
    const sheet = sheets.get(tree) ?? createSheet(realm, css, tree)
    sheets.set(tree, sheet)
    return sheet
  }
}

/** The painted elements. */
export interface FreshPaintParts extends Pick<Shadows, 'treesOf'> {
  readonly realm: Realm
  /** The windows of the page at present. */
  readonly realms: Iterable<Realm>
}

/**
 * Makes the browser lay out everything again for its next picture. Chromium keeps the rounding of an element's position
 * while only its transform changes, so the picture of a frame would depend on earlier frames. Changing how the root of
 * each window is painted, followed by a hit test, resets this for all descendants, except those in an element with
 * strict containment. In a page with such an element, the painting of all elements is changed.
 */
export const createFreshPaint = ({ realm, realms, treesOf }: FreshPaintParts) => {
  const { elementFromPoint } = realm.Document.prototype
  const rootSheetOf = createSheets(`:root${REPAINTED}`)
  const everySheetOf = createSheets(`*${REPAINTED}`)

  const isContained = (element: Element): boolean => {
    const { contain, contentVisibility } = natives.getComputedStyle(element)
    return contentVisibility !== 'visible' || /strict|content|paint/.test(contain)
  }
  const sheetsOf = (owner: Realm): RuntimeSheet[] => {
    const trees = treesOf(owner)
    const elements = trees.flatMap((tree) => [...tree.querySelectorAll('*')])
    if (!elements.some(isContained)) return [rootSheetOf(owner, owner.document)]
    return trees.map((tree) => everySheetOf(owner, tree))
  }
  return (): void => {
    const all = [...realms]
    const sheets = all.flatMap(sheetsOf)
    for (const sheet of sheets) sheet.attach()
    for (const { document } of all) elementFromPoint.call(document, 0, 0)
    for (const sheet of sheets) sheet.detach()
  }
}
