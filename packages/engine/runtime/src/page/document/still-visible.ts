import { natives, type Realm } from '../realm/natives.ts'
import { closestOf, isIn, isShadowRoot } from './flat-tree.ts'
import type { Shadows } from './shadows.ts'

/** The attribute of elements that hidden elements show all the same. */
const MARK = 'data-vid-still-visible'

/** Hides what `visibility` cannot hide, without a change of the layout. */
export const STILL_VISIBLE_CSS = `[${MARK}]{clip-path:inset(50%)!important;transition:none!important}`

/**
 * What stays visible in hidden elements, because a declaration of the page has precedence over that of the runtime: an
 * important one in a `style` attribute, in a layer or in a shadow tree.
 */
export interface StillVisible {
  /** Hides it, in elements that have just been hidden and where a `style` attribute may have changed. */
  hide(newlyHidden: readonly Element[]): void
}

/** Creates the search in elements that match `hidden`. */
export const createStillVisible = (
  realm: Realm,
  hidden: string,
  { treesOf, elementsOf }: Pick<Shadows, 'treesOf' | 'elementsOf'>,
): StillVisible => {
  const styled = '[style*="visibility" i]'
  const inHidden = `:is(${hidden}) ${styled},:is(${hidden})${styled}`
  const marked = new Set<Element>()

  const isImportant = (element: Element) =>
    (element as HTMLElement | SVGElement).style.getPropertyPriority('visibility') === 'important'
  const isVisible = (element: Element) => natives.getComputedStyle(element).visibility === 'visible'
  const isHidden = (element: Element) => element.isConnected && closestOf(element, hidden) !== null

  /** The hosts of shadow trees with something visible in them. */
  const visibleHosts = (newlyHidden: readonly Element[]): Element[] =>
    treesOf(realm).flatMap((tree) => {
      if (!isShadowRoot(tree) || !newlyHidden.some((element) => isIn(tree.host, element))) return []
      return [...tree.querySelectorAll('*')].some(isVisible) ? [tree.host] : []
    })
  /** An element and what is drawn in it, but for shadow trees. */
  const contentOf = (element: Element): Element[] => {
    const below = [element, ...element.querySelectorAll('*')]
    const slots = below.filter((each): each is HTMLSlotElement => each instanceof realm.HTMLSlotElement)
    return [...below, ...slots.flatMap((slot) => slot.assignedElements()).flatMap(contentOf)]
  }

  return {
    hide(newlyHidden) {
      for (const element of marked) {
        if (isHidden(element)) continue
        element.removeAttribute(MARK)
        marked.delete(element)
      }
      const all = newlyHidden.flatMap(contentOf).filter(isVisible)
      const changed = elementsOf(realm, inHidden).filter(isImportant).filter(isVisible)
      for (const element of [...all, ...visibleHosts(newlyHidden), ...changed]) {
        element.setAttribute(MARK, '')
        marked.add(element)
      }
    },
  }
}
