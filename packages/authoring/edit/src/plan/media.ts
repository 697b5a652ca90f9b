import { attributeOf, childElements, decoded, type Element, labelOf, lineOf } from '@vid/core/source-model'
import { motionsOf } from '../follow/property-motion.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addAttribute, addNote, emptyPlan, type Plan } from '../patch/plan.ts'
import { type Located, locate } from '../source/locate.ts'
import { type OperationContext, refuse } from './context.ts'
import { importFile, referenceFrom } from './import-file.ts'
import { isPlayed } from './trim.ts'
import { setBound } from './variable.ts'

/** The element whose `src` names the media: itself, or its first `<source>`. */
const holderOf = ({ element }: Located): Element | undefined => {
  if (!['video', 'audio', 'img', 'source'].includes(element.tagName)) return undefined
  if (attributeOf(element, 'src') !== null) return element
  return childElements(element).find(({ tagName }) => tagName === 'source') ?? element
}

/** Plans `media`. */
export const planMedia = async (operation: OperationOf<'media'>, context: OperationContext): Promise<Plan> => {
  const plan = emptyPlan()
  const place = locate(context.sources, operation.target)
  const { file, element } = place
  const holder = holderOf(place)
  if (!holder)
    throw refuse(
      'media',
      labelOf(element),
      `a <${element.tagName}> has no media`,
      'Choose a <video>, an <audio> or an <img>.',
    )
  const imported = operation.import === undefined ? undefined : await importFile(plan, context, operation.import)
  const src = imported === undefined ? (operation.src ?? '') : referenceFrom(file.file, imported)
  if (/^\s*(?:javascript|vbscript):/i.test(src))
    throw refuse(
      'media',
      labelOf(element),
      `"${src}" is a script`,
      'Give a file of the project or an address of media.',
    )
  if (setBound(plan, context, place, 'data-var-src', src)) return plan
  const before = attributeOf(holder, 'src')
  if (before !== src)
    addAttribute(
      plan,
      'changes',
      { file, element: holder },
      ['src', src],
      `${labelOf(element)} shows "${decoded(src)}"${before === null ? '' : ` instead of "${before}"`}.`,
    )
  return plan
}

export const requirePlayed = (
  context: OperationContext,
  op: 'volume' | 'fade',
  operation: OperationOf<'volume' | 'fade'>,
): Located => {
  const place = locate(context.sources, operation.target)
  if (isPlayed(place.element)) return place
  throw refuse(op, labelOf(place.element), 'it has no sound', 'Choose an <audio> or a <video>.')
}

/** Plans `volume`. */
export const planVolume = (operation: OperationOf<'volume'>, context: OperationContext): Plan => {
  const plan = emptyPlan()
  const place = requirePlayed(context, 'volume', operation)
  const value = String(operation.volume)
  const before = attributeOf(place.element, 'data-volume')
  if (before === value) return plan
  const was = before === null ? '' : ` instead of ${before}`
  addAttribute(
    plan,
    'changes',
    place,
    ['data-volume', value],
    `${labelOf(place.element)} has the volume ${value}${was}.`,
  )
  for (const { source, line } of motionsOf(context.sources, place, 'volume'))
    addNote(plan, {
      kind: 'script',
      file: source.script.file,
      line,
      text: `An animation sets the volume of ${labelOf(place.element)}, in place of data-volume.`,
    })
  if (attributeOf(place.element, 'muted') !== null)
    addNote(plan, {
      kind: 'script',
      file: place.file.file,
      line: lineOf(place.element),
      text: `${labelOf(place.element)} is muted.`,
    })
  return plan
}
