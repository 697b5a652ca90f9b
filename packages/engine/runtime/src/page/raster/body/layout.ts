import { natives } from '../../realm/natives.ts'

/** The properties of a body that determine the layout of its content, apart from its size. */
const ARRANGING = [
  'display',
  'flex-direction',
  'flex-wrap',
  'align-items',
  'align-content',
  'justify-content',
  'justify-items',
  'row-gap',
  'column-gap',
  'grid-auto-flow',
  'grid-auto-rows',
  'grid-auto-columns',
  'grid-template-areas',
  'column-count',
  'column-width',
  'column-fill',
  'column-rule',
  'padding',
  'perspective',
  'perspective-origin',
]

/** Their used values are sizes of the body's own tracks, so they are passed down by inheritance. */
const INHERITED = 'grid-template-columns:inherit;grid-template-rows:inherit;'

/** Styles of the elements between the body and the element that lays out its content. */
export const PASSING_TRACKS = INHERITED

const specifiedHeight = (element: Element): string =>
  String(natives.computedStyleMap.call(element).get('height') ?? 'auto')

/** Whether percentage heights of the body's children resolve. */
const hasHeight = (body: HTMLElement): boolean => {
  const height = specifiedHeight(body)
  if (!/\d/.test(height)) return false
  return !height.includes('%') || /\d/.test(specifiedHeight(document.documentElement))
}

/** The least height of the body; a part of an unknown height is none. */
const leastHeightOf = ({ minHeight }: CSSStyleDeclaration): string => {
  if (minHeight.endsWith('px')) return minHeight
  const { documentElement } = document
  const isPart = minHeight.endsWith('%') && /\d/.test(specifiedHeight(documentElement))
  return isPart ? `${(Number.parseFloat(minHeight) / 100) * documentElement.offsetHeight}px` : '0px'
}

/** The height of the body's box and its consequences, as styles of the element that lays out its content. */
const boxOf = (body: HTMLElement, style: CSSStyleDeclaration): Readonly<Record<string, string>> => {
  if (hasHeight(body))
    return {
      height: `${body.offsetHeight}px`,
      'min-height': '0px',
      overflow: 'hidden',
      'border-radius': style.borderRadius,
    }
  return { height: 'auto', 'min-height': leastHeightOf(style), overflow: 'visible', 'border-radius': '0px' }
}

/** Sets a property of an element that differs. */
export const setProperty = ({ style }: HTMLElement, property: string, value: string): void => {
  if (style.getPropertyValue(property) !== value) style.setProperty(property, value)
}

/** Makes `inner`, in the canvas inside the body, lay out the body's content in `slot` as the body would. */
export const arrangeLikeBody = (
  { body, canvas, inner, slot }: Readonly<Record<'body' | 'canvas' | 'inner' | 'slot', HTMLElement>>,
  style: CSSStyleDeclaration,
): void => {
  // The body of a fixed size may have padding; in any other, the canvas gives the height.
  setProperty(canvas, 'position', body.hasAttribute('data-vid-root') ? 'absolute' : 'static')
  setProperty(inner, 'position', style.position === 'static' ? 'static' : 'relative')
  // Children with `box-sizing: inherit` have the value of the slot, which has no box itself.
  setProperty(slot, 'box-sizing', style.boxSizing)
  for (const property of ARRANGING) setProperty(inner, property, style.getPropertyValue(property))
  for (const [property, value] of Object.entries(boxOf(body, style))) setProperty(inner, property, value)
}
