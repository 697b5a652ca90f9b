import { createStyleOverride, type StyleOverride } from '../motion/style-override.ts'
import { isTransformedBackdrop } from './backdrops.ts'

/**
 * Leaves the backdrops of turned and scaled elements unfiltered while two pictures are taken that are compared. A blurred
 * backdrop is mirrored at the edges of its element's box; in a screenshot, Chromium 153 transforms these edges twice.
 */
export interface TransformedBackdrops {
  /** Stops filtering the backdrops of those of these elements that are turned or scaled; returns whether there are any. */
  hide(elements: Iterable<Element>): boolean
  restore(): void
}

/**
 * A filter that changes nothing, with which the element stays a stacking context; and something to paint, since the
 * picture of an element without any paint keeps the filter before.
 */
const NEUTRAL = { backdropFilter: 'brightness(1)', boxShadow: '0 0 1px #000' }

/** Creates what hides the backdrops. */
export const createTransformedBackdrops = (): TransformedBackdrops => {
  const overrides: StyleOverride[] = []
  return {
    hide(elements) {
      for (const element of [...elements].filter(isTransformedBackdrop)) {
        const override = createStyleOverride(element)
        overrides.push(override)
        override.set(NEUTRAL)
      }
      return overrides.length > 0
    },
    restore() {
      for (const override of overrides.splice(0)) override.cancel()
    },
  }
}
