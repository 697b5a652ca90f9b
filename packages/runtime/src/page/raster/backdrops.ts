import { isMove } from '../depth/transforms.ts'
import { nameOf } from '../document/element-name.ts'
import { natives } from '../realm/natives.ts'

const filterOf = (style: CSSStyleDeclaration): string => style.getPropertyValue('backdrop-filter') || 'none'

/** Whether a style filters its element's backdrop. */
export const hasBackdrop = (style: CSSStyleDeclaration): boolean => filterOf(style) !== 'none'

/** The reason why a picture of the page would filter an element's backdrop differently; undefined if it would not. */
export const backdropReason = (element: Element): string | undefined => {
  const style = natives.getComputedStyle(element)
  if (!hasBackdrop(style)) return undefined
  const name = `backdrop-filter on ${nameOf(element)}`
  if (filterOf(style).includes('url(')) return `${name} with an SVG filter`
  if (style.mixBlendMode !== 'normal') return `${name} with a blend mode`
  for (let around: Element | null = element; around; around = around.parentElement) {
    const outer = natives.getComputedStyle(around)
    if (!isMove(outer)) return `${name} that is turned or scaled`
    if (around !== element && hasBackdrop(outer)) return `${name} inside of another`
  }
  return undefined
}
