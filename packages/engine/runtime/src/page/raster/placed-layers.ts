import { createSheet, type RuntimeSheet } from '../document/sheet.ts'
import { createStyleOverride, type StyleOverride } from '../motion/style-override.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { LAYERED, PLACED } from './element-eligibility.ts'

const FACING = { backfaceVisibility: 'visible' }

const hasTransform = ({ transform, translate, rotate, scale }: CSSStyleDeclaration): boolean =>
  `${transform}${translate}${rotate}${scale}` !== 'none'.repeat(4)

/**
 * Places canvases and videos by the backs that they hide. One with a blend mode is moved by nothing instead, which changes
 * nothing else, since it is a stacking context: Chromium 153 crashes when it paints both in a captured element.
 */
export const createPlacedLayers = (realm: Realm) => {
  const overrides = new Map<Element, StyleOverride>()
  let sheet: RuntimeSheet | undefined
  return {
    /** Looks at elements before they are painted, the first time when the page has loaded. */
    update(elements: readonly Element[]): void {
      sheet ??= createSheet(realm, PLACED)
      sheet.attach()
      for (const element of elements.filter((element) => element.matches(LAYERED))) {
        const style = natives.getComputedStyle(element)
        if (style.mixBlendMode === 'normal') {
          overrides.get(element)?.cancel()
          overrides.delete(element)
          continue
        }
        const override = overrides.get(element) ?? createStyleOverride(element)
        overrides.set(element, override)
        override.set(FACING)
        if (!hasTransform(style)) override.set({ ...FACING, translate: '0px' })
      }
    },
  }
}
