import { attributeOf, childElements, labelOf, lineOf } from '@vid/core/source-model'
import { noteMentions } from '../follow/mentions.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addAttribute, addEdit, emptyPlan, type Plan } from '../patch/plan.ts'
import { insideOf } from '../patch/text-edit.ts'
import { clipOf, followersOf } from '../source/clips.ts'
import { type Located, locate } from '../source/locate.ts'
import { type OperationContext, refuse } from './context.ts'
import { setBound } from './variable.ts'

/** Elements whose content is no text of the picture, or is read in another way. */
const UNTEXTUAL =
  /^(?:script|style|template|textarea|select|noscript|iframe|svg|math|video|audio|canvas|object|xmp|plaintext|html|head|body)$/

const PLACEHOLDER = /\{\{(?:(?!\{\{)[\s\S])*?\}\}/g

/** Why the text of an element cannot be changed; undefined where it can be. */
export const textProblem = ({ element }: Located): { readonly reason: string; readonly advice: string } | undefined => {
  if (UNTEXTUAL.test(element.tagName) || !insideOf(element))
    return {
      reason: `a <${element.tagName}> has no text of its own`,
      advice: 'Choose the element that holds the text.',
    }
  const inner = childElements(element).find(({ tagName }) => tagName !== 'br')
  if (inner)
    return {
      reason: `it holds ${labelOf(inner)}, whose text and look would be lost`,
      advice: 'Choose the element around the text alone.',
    }
  const isComment = element.childNodes.some((node) => node.nodeName === '#comment')
  return isComment ? { reason: 'it holds a comment', advice: 'Change the text in the source.' } : undefined
}

/** The text of an element as the source writes it, with line ends for `<br>`. */
export const writtenText = ({ element }: Located): string =>
  element.childNodes
    .map((node) => ('value' in node ? node.value : node.nodeName === 'br' ? '\n' : ''))
    .join('')
    .trim()

/** Plans `text`. */
export const planText = (operation: OperationOf<'text'>, context: OperationContext): Plan => {
  const plan = emptyPlan()
  const place = locate(context.sources, operation.target)
  const { file, element } = place
  const { text } = operation
  if (setBound(plan, context, place, 'data-var-text', text)) return plan
  const name = labelOf(element)
  const problem = textProblem(place)
  if (problem) throw refuse('text', name, problem.reason, problem.advice)
  const before = writtenText(place)
  const lost = (before.match(PLACEHOLDER) ?? []).find((placeholder) => !text.includes(placeholder))
  if (lost !== undefined)
    throw refuse('text', name, `its text has "${lost}", which another program fills in`, 'Keep it in the new text.')
  if (before === text) return plan
  addEdit(plan, file.file, { kind: 'text', element, text })
  plan.changes.push({
    file: file.file,
    line: lineOf(element),
    text: `The text of ${name} is "${text}" instead of "${before}".`,
  })
  noteMentions(plan, context.sources, place, [element], 'see whether it writes the text')
  return plan
}

/** Plans `set`. */
export const planSet = (operation: OperationOf<'set'>, context: OperationContext): Plan => {
  const plan = emptyPlan()
  const { sources } = context
  const place = locate(sources, operation.target)
  const { element, file } = place
  const { value } = operation
  // HTML has lower-case names; those of SVG keep their case.
  const name = element.attrs.some((other) => other.name === operation.name)
    ? operation.name
    : operation.name.toLowerCase()
  const before = attributeOf(element, name)
  if (before === value) return plan
  if (name === 'id' && before !== null) {
    const clip = clipOf(file, element)
    const [follower] = clip ? followersOf(clip) : []
    if (follower)
      throw refuse(
        'set',
        labelOf(element),
        `${labelOf(follower.element)} starts after "${before}"`,
        'Change that start first.',
      )
    noteMentions(plan, sources, place, [element], 'it will not find the element by its old id')
  }
  const is = value === null ? 'is removed' : `is "${value}"`
  const was = before === null ? '' : ` instead of "${before}"`
  addAttribute(
    plan,
    'changes',
    place,
    [name, value],
    `${name} of ${labelOf(element)} ${is}${value === null ? '' : was}.`,
  )
  return plan
}
