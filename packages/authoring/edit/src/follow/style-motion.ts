import { attributeOf, type Element, fitsSelectors, labelOf, parseSheet } from '@vid/core/source-model'
import { addNote, type Plan } from '../patch/plan.ts'
import type { SourceClip } from '../source/clips.ts'
import { withDescendants } from '../source/locate.ts'
import type { Sources } from '../source/sources.ts'

const ANIMATES = /^animation(?:-name)?$/i

const isAnimated = (style: string): boolean => {
  try {
    let animates = false
    parseSheet(style).walkDecls(({ prop, value }) => {
      animates ||= ANIMATES.test(prop) && value.trim() !== 'none'
    })
    return animates
  } catch {
    return false // vid lint reports it.
  }
}

/** Says which elements of a clip have an animation by style, which counts from the start of the clip. */
export const noteStyleMotion = (plan: Plan, sources: Sources, clip: SourceClip, text: string): void => {
  const page = sources.htmlFile(clip.file.file) ?? clip.file
  const inside = new Set(withDescendants(clip.element))
  const noted = (element: Element, file: string, line: number) =>
    addNote(plan, { kind: 'style', file, line, text: `The animation of ${labelOf(element)} ${text}.` })
  for (const element of inside) {
    const style = attributeOf(element, 'style')
    if (style !== null && isAnimated(style)) noted(element, page.file, element.sourceCodeLocation?.startLine ?? 1)
  }
  for (const { file, line, sheet } of page.sheets)
    sheet.walkDecls(ANIMATES, ({ value, parent, source }) => {
      if (value.trim() === 'none' || parent?.type !== 'rule') return
      const { selector } = parent as unknown as { selector: string }
      const element = [...inside].find((other) => fitsSelectors(selector, other) === true)
      if (element) noted(element, file, line + (source?.start?.line ?? 1) - 1)
    })
}
