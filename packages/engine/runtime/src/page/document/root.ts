import { closestOf, parentOf } from './flat-tree.ts'

/** The root composition: `[data-root="true"]`, else the first composition that is not inside another. */
export const findRootElement = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[data-root="true"]') ?? document.querySelector('[data-composition-id]')

/** The composition that an element belongs to: the nearest one around it, never itself. */
export const compositionOf = (element: Element): Element | null =>
  closestOf(parentOf(element), '[data-composition-id],[data-composition-src],[data-root="true"]')

/** The composition with an id, if possible outside embedded files; the first one when several share it. */
export const findComposition = (id: string): Element | null => {
  const named = `[data-composition-id="${CSS.escape(id)}"]`
  return document.querySelector(`${named}:not([data-vid-instance] *)`) ?? document.querySelector(named)
}
