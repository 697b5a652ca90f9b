import { createStyleOverride, type StyleOverride } from '../motion/style-override.ts'
import { natives } from '../realm/natives.ts'

const FACING = { backfaceVisibility: 'visible' }

const hasTransform = ({ transform, translate, rotate, scale }: CSSStyleDeclaration): boolean =>
  `${transform}${translate}${rotate}${scale}` !== 'none'.repeat(4)

/**
 * Gives canvases and videos with a blend mode another transform node than a hidden back, with which Chromium 153 crashes
 * when it paints them in a captured element. A move by nothing changes nothing else: they are stacking contexts.
 */
export const createBlendedLayers = () => {
  const overrides = new Map<Element, StyleOverride>()
  return {
    /** Looks at the layers of the page, before they are painted. */
    update(layers: Iterable<Element>): void {
      for (const element of layers) {
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
