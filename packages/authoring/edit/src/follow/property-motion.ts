import { type Element, fitsSelectors, labelOf } from '@vid/core/source-model'
import { addNote, type Plan } from '../patch/plan.ts'
import type { Located } from '../source/locate.ts'
import type { Sources } from '../source/sources.ts'
import { readGsapCalls } from './gsap-calls.ts'
import { scriptsOf } from './script-source.ts'

/** Properties of GSAP that write a property of CSS. */
const WRITES: Readonly<Record<string, RegExp>> = {
  opacity: /^(?:opacity|autoAlpha|alpha)$/,
  transform: /^(?:x|y|z|xPercent|yPercent|scale[XYZ]?|rotat(?:e|ion)[XYZ]?|skew[XY]?|transform)$/,
  visibility: /^(?:visibility|autoAlpha)$/,
}

const camelCase = (property: string) => property.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The calls of GSAP that animate a property of an element. */
export const motionsOf = (sources: Sources, { file, element }: Located, property: string) => {
  const isWritten = (name: string) => WRITES[property]?.test(name) ?? name === camelCase(property)
  return scriptsOf(sources, file)
    .flatMap(readGsapCalls)
    .filter(
      ({ selectors, properties }) =>
        properties.some(isWritten) && selectors?.some((selector) => fitsSelectors(selector, element) === true),
    )
}

/** Says which animations by GSAP write a property of an element over its style. */
export const noteMotion = (plan: Plan, sources: Sources, place: Located, property: string): void => {
  const element: Element = place.element
  for (const { source, line } of motionsOf(sources, place, property))
    addNote(plan, {
      kind: 'script',
      file: source.script.file,
      line,
      text: `An animation writes ${property} of ${labelOf(element)} as well.`,
    })
}
