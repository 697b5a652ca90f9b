import { nameOf } from '../document/element-name.ts'
import { createStyleOverride, type StyleOverride } from '../motion/style-override.ts'
import { paintingOrder } from './painting-order.ts'
import { signedArea } from './planes.ts'
import { createRanks } from './ranks.ts'
import { planeOf, sharesSpace } from './scene.ts'

/** Makes the picture of an element, which is painted without depth, show its 3D spaces correctly. */
export interface Spaces {
  /** Hides elements that show a hidden back, and orders elements by depth; returns the reason if that is impossible. */
  arrange(backs: readonly Element[], spaces: readonly Element[]): string | undefined
  /** Restores the original painting. */
  clear(): void
}

/** Clips elements away, and no others. */
const createClips = () => {
  const overrides = new Map<Element, StyleOverride>()
  return (elements: ReadonlySet<Element>) => {
    for (const [element, override] of overrides)
      if (!elements.has(element)) {
        override.cancel()
        overrides.delete(element)
      }
    for (const element of elements) {
      if (overrides.has(element)) continue
      const override = createStyleOverride(element)
      override.set({ clipPath: 'inset(50%)' })
      overrides.set(element, override)
    }
  }
}

export const createSpaces = (): Spaces => {
  const ranks = createRanks()
  const clip = createClips()

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
      const order = new Map<HTMLElement, number>()
      for (const space of spaces) {
        const isOutermost = !space.parentElement || !sharesSpace(space.parentElement)
        if (!sharesSpace(space) || !isOutermost) continue
        const facts = { isHidden: (element: Element) => hidden.has(element), levelOf: ranks.levelOf }
        const places = paintingOrder(space as HTMLElement, facts)
        if (typeof places === 'string') return places
        for (const [element, rank] of places) order.set(element, rank)
      }
      ranks.apply(order)
      clip(hidden)
      return undefined
    },
    clear() {
      ranks.apply(new Map())
      clip(new Set())
    },
  }
}
