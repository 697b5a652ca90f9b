import { nameOf } from '../document/element-name.ts'
import { chainOf } from '../document/flat-tree.ts'
import { natives } from '../realm/natives.ts'
import type { StatefulnessParts } from './statefulness.ts'

/** In pixels of the page. */
interface PictureSize {
  readonly width: number
  readonly height: number
}

/** The facts that determine whether a root is ever visible. */
export interface SightParts extends StatefulnessParts {
  readonly config: PictureSize
}

/** Whether a descendant is positioned relative to the window instead of the root. */
const hasFixed = (root: Element): boolean =>
  [...root.querySelectorAll('*')].some((element) => natives.getComputedStyle(element).position === 'fixed')

/** For a box that clips its content: the reason why it is outside the picture. */
const boxReason = (root: Element, picture: PictureSize): string | undefined => {
  const { left, top, right, bottom, width, height } = root.getBoundingClientRect()
  if ((width < 1 || height < 1) && !hasFixed(root))
    return `its box has ${Math.round(width)} x ${Math.round(height)} pixels`
  const isInside = right > 0 && bottom > 0 && left < picture.width && top < picture.height
  return isInside || hasFixed(root)
    ? undefined
    : `its box is outside the picture, at ${Math.round(left)}, ${Math.round(top)} pixels from the left and top`
}

/** Whether a descendant may be visible although the root is not, such as a clip in its window. */
const hasVisible = (root: Element): boolean =>
  [...root.querySelectorAll('*')].some(
    (element) => natives.getComputedStyle(element).visibility === 'visible' || element.closest('[data-vid-window]'),
  )

/** A description of the style that hides an element and its content; the style may be of an ancestor. */
export const styleReason = (chain: readonly Element[]): string | undefined => {
  const withStyle = (property: 'display' | 'opacity', value: string) =>
    chain.find((element) => natives.getComputedStyle(element)[property] === value)
  const none = withStyle('display', 'none')
  if (none) return `${nameOf(none)} has the style display: none`
  const clear = withStyle('opacity', '0')
  return clear && `${nameOf(clear)} has the style opacity: 0`
}

const hiddenReason = (root: Element, chain: readonly Element[]): string | undefined => {
  if (natives.getComputedStyle(root).visibility === 'visible') return undefined
  const marked = chain.find((element) => element.matches('[data-hidden]:not([data-hidden="false"])'))
  if (marked) return `${nameOf(marked)} is marked with data-hidden`
  return hasVisible(root) ? undefined : `it has the style visibility: ${natives.getComputedStyle(root).visibility}`
}

/** Whether anything in the page may change the look of these elements over time. */
export const mayChange = (page: SightParts, isStateful: boolean, chain: readonly Element[]): boolean =>
  isStateful ||
  page.listeners.has('vid-seek', 'hf-seek') ||
  page.adapters.list().length > 0 ||
  page.timelines.mayMove(chain) ||
  [...page.animations.playbacks.values()].some(({ element }) => element && chain.includes(element))

/**
 * A description of why the root is invisible in every frame; undefined if it is visible, or if the page may
 * show it later.
 */
export const findUnseen = (page: SightParts, root: Element, isStateful: boolean): string | undefined => {
  const chain = chainOf(root)
  const reason = styleReason(chain) ?? hiddenReason(root, chain) ?? boxReason(root, page.config)
  if (reason === undefined || mayChange(page, isStateful, chain)) return undefined
  return root.querySelector(':modal,:popover-open') === null ? reason : undefined
}
