import { attributeOf, labelOf, lineOf } from '@vid/core/source-model'
import { fail } from '../errors.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addAttribute, addNote, emptyPlan, type Plan } from '../patch/plan.ts'
import { type OperationContext, refuse } from './context.ts'
import { declaringRules } from './style.ts'

/** Plans `size`. */
export const planSize = ({ width, height, file }: OperationOf<'size'>, context: OperationContext): Plan => {
  const plan = emptyPlan()
  const { sources } = context
  const page = sources.htmlFile(file ?? sources.entry)
  if (!page)
    throw fail('VID_EDIT_NOT_FOUND', {
      target: file ?? sources.entry,
      near: sources.project.files.map((other) => other.file),
    })
  const { root } = page
  if (!root) throw refuse('size', page.file, 'it has no composition', 'Give an element data-composition-id.')
  const place = { file: page, element: root }
  for (const [name, side] of [
    ['data-width', width],
    ['data-height', height],
  ] as const) {
    const before = attributeOf(root, name)
    if (before === String(side)) continue
    const was = before === null ? '' : ` instead of ${before}`
    addAttribute(plan, 'changes', place, [name, String(side)], `${name} of ${labelOf(root)} is ${side}${was}.`)
  }
  if (plan.changes.length === 0) return plan
  for (const property of ['width', 'height'])
    for (const { source, rule, declaration } of declaringRules(sources, place, property))
      if (/px/.test(declaration.value))
        addNote(plan, {
          kind: 'style',
          file: source.sheet.file,
          line: source.sheet.line + (declaration.source?.start?.line ?? 1) - 1,
          text: `The rule "${rule.selector}" has its own ${property}, ${declaration.value}.`,
        })
  if (/(?:^|[;\s])(?:width|height)\s*:\s*\d+px/.test(attributeOf(root, 'style') ?? ''))
    addNote(plan, {
      kind: 'style',
      file: page.file,
      line: lineOf(root),
      text: `The style of ${labelOf(root)} has a size of its own.`,
    })
  return plan
}
