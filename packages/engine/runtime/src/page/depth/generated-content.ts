import { natives } from '../realm/natives.ts'

/** The generated content of an element that is visible. */
const visibleParts = (element: Element): CSSStyleDeclaration[] =>
  ['::before', '::after']
    .map((part) => natives.getComputedStyle(element, part))
    .filter(({ content, visibility }) => !/^(none|normal)$/.test(content) && visibility === 'visible')

/** The styles of an element and of its visible generated content. */
export const looksOf = (element: Element): readonly CSSStyleDeclaration[] => [
  natives.getComputedStyle(element),
  ...visibleParts(element),
]

/** Whether an element has visible generated content. */
export const hasGeneratedContent = (element: Element): boolean => visibleParts(element).length > 0

/** Whether all of it lies in the plane of the element, at the level of its text. */
export const isContentFlat = (element: Element): boolean =>
  visibleParts(element).every(
    ({ transform, translate, rotate, scale, zIndex }) =>
      `${transform}${translate}${rotate}${scale}` === 'none'.repeat(4) && /^(auto|0)$/.test(zIndex),
  )

/** What a rule can make of the generated content of an element: whether it is there, turned, and has a back. */
export const contentLook = (element: Element): readonly unknown[] => [
  element,
  ...visibleParts(element).map(({ transform, rotate, backfaceVisibility, transformStyle, backdropFilter }) =>
    [transform.startsWith('matrix3d'), /[xy ]/.test(rotate), backfaceVisibility, transformStyle, backdropFilter].join(),
  ),
]
