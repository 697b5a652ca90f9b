import { attributeOf, labelOf, lineOf } from '@vid/core/source-model'
import type { AttributeEdit } from '../patch/edit.ts'
import { addAttribute, addNote, type Plan } from '../patch/plan.ts'
import { type SourceClip, secondsText } from '../source/clips.ts'
import { readFade } from './fade.ts'

/** Leaves each fade of a sound to the part at whose edge it stands, and returns what the second part loses. */
export const splitSound = (plan: Plan, clip: SourceClip, at: number): readonly AttributeEdit[] => {
  const { file, element, start, end } = clip
  const name = labelOf(element)
  const note = (text: string) => addNote(plan, { kind: 'unfollowed', file: file.file, line: lineOf(element), text })
  const fadeIn = readFade(element, 'in')
  const fadeOut = readFade(element, 'out')
  if (fadeIn.seconds > at - (start ?? at) + 1e-9 || (end !== null && fadeOut.seconds > end - at + 1e-9))
    note(`A fade of ${name} is cut at ${secondsText(at)} s, which can be heard.`)
  if (attributeOf(element, 'data-volume')?.includes(':'))
    note(`The volume of ${name} changes from its start on, and does so again in the second part.`)
  if (fadeOut.text !== null)
    addAttribute(plan, 'follows', clip, ['data-fade-out', null], `The second part of ${name} fades out in its place.`)
  return fadeIn.text === null ? [] : [{ kind: 'attribute', element, name: 'data-fade-in', value: null }]
}
