import { nameOf } from '../document/element-name.ts'
import { createStyleOverride, type StyleOverride } from '../motion/style-override.ts'
import { natives } from '../realm/natives.ts'
import { paintingOrder } from './painting-order.ts'
import { signedArea } from './planes.ts'
import { planeOf, sharesSpace } from './scene.ts'

/** Makes the picture of an element, which is painted without depth, show its 3D spaces correctly. */
export interface Spaces {
  /** Hides elements that show a hidden back, and orders elements by depth; returns the reason if that is impossible. */
  arrange(backs: readonly Element[], spaces: readonly Element[]): string | undefined
  /** Restores the original painting. */
  clear(): void
}

/** Sets one property of these elements, and resets it on all others. */
const createSetting = (property: string) => {
  const overrides = new Map<Element, StyleOverride>()
  return {
    has: (element: Element) => overrides.has(element),
    apply(values: ReadonlyMap<Element, string>) {
      for (const [element, override] of overrides)
        if (!values.has(element)) {
          override.cancel()
          overrides.delete(element)
        }
      for (const [element, value] of values) {
        const override = overrides.get(element) ?? createStyleOverride(element)
        override.set({ [property]: value })
        overrides.set(element, override)
      }
    },
  }
}

/** The reason why an element cannot get a rank among its siblings. */
const rankReason = (element: Element): string | undefined => {
  const { position, zIndex } = natives.getComputedStyle(element)
  if (zIndex !== 'auto') return `${nameOf(element)} with a z-index`
  return position === 'static' ? `${nameOf(element)} that is not positioned` : undefined
}

export const createSpaces = (): Spaces => {
  const ranks = createSetting('zIndex')
  const clips = createSetting('clipPath')

  const hiddenOf = (backs: readonly Element[]): Set<Element> | string => {
    const hidden = new Set<Element>()
    for (const element of backs) {
      const plane = planeOf(element as HTMLElement)
      if (!plane) return `${nameOf(element)} whose place is not known`
      if (signedArea(plane) < 0) hidden.add(element)
    }
    return hidden
  }

  return {
    arrange(backs, spaces) {
      const hidden = hiddenOf(backs)
      if (typeof hidden === 'string') return hidden
      const order = new Map<Element, string>()
      for (const space of spaces) {
        const isOutermost = !space.parentElement || !sharesSpace(space.parentElement)
        if (!sharesSpace(space) || !isOutermost) continue
        const rank = paintingOrder(space as HTMLElement, (element) => hidden.has(element))
        if (typeof rank === 'string') return rank
        for (const [element, place] of rank) {
          const reason = ranks.has(element) ? undefined : rankReason(element)
          if (reason !== undefined) return reason
          order.set(element, String(place))
        }
      }
      ranks.apply(order)
      clips.apply(new Map([...hidden].map((element) => [element, 'inset(50%)'])))
      return undefined
    },
    clear() {
      ranks.apply(new Map())
      clips.apply(new Map())
    },
  }
}
