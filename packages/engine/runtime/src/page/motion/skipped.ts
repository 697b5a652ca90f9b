import { parentOf } from '../document/flat-tree.ts'
import { natives } from '../realm/natives.ts'

const isShown = (element: Element): boolean => natives.checkVisibility?.call(element) ?? true

/**
 * Whether an element is in content that the browser skips: of `content-visibility: hidden`, of `hidden="until-found"` or of a
 * closed `<details>`. It asks for no style of the content, which would make its animations begin.
 */
export const isSkipped = (element: Element): boolean => {
  if (isShown(element)) return false
  let around = parentOf(element)
  while (around && !isShown(around)) around = parentOf(around)
  if (!around) return false
  return around.matches('details:not([open])') || natives.getComputedStyle(around).contentVisibility === 'hidden'
}
