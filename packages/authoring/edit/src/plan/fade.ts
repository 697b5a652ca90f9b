import { attributeOf, type Element, labelOf } from '@vid/core/source-model'
import { motionsOf } from '../follow/property-motion.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addAttribute, emptyPlan, type Plan } from '../patch/plan.ts'
import { secondsText } from '../source/clips.ts'
import { type OperationContext, refuse, requireClip } from './context.ts'
import { requirePlayed } from './media.ts'

const SIDES = ['in', 'out'] as const

/** A fade as its attribute writes it: seconds, then the name of a curve. */
export const readFade = (element: Element, side: (typeof SIDES)[number]) => {
  const text = attributeOf(element, `data-fade-${side}`)
  const [seconds = '', ...curve] = text?.trim().split(/\s+/) ?? []
  return { text, seconds: Number(seconds) || 0, curve }
}

/** Plans `fade`: the side that is not given stays as it is, and a fade keeps its curve. */
export const planFade = (operation: OperationOf<'fade'>, context: OperationContext): Plan => {
  const plan = emptyPlan()
  const place = requirePlayed(context, 'fade', operation)
  const { element, start, end } = requireClip(context, 'fade', operation.target)
  const name = labelOf(element)
  const lengths = SIDES.map((side) => operation[side] ?? readFade(element, side).seconds)
  const total = lengths.reduce((sum, seconds) => sum + seconds, 0)
  if (start !== null && end !== null && total > end - start + 1e-9)
    throw refuse('fade', name, `its fades are longer than its ${secondsText(end - start)} s`, 'Choose shorter fades.')
  const [motion] = motionsOf(context.sources, place, 'volume')
  if (motion)
    throw refuse(
      'fade',
      name,
      `${motion.source.script.file}:${motion.line} animates its volume, which wins over fades`,
      'Change the animation there, or remove it.',
    )
  for (const side of SIDES) {
    const seconds = operation[side]
    const before = readFade(element, side)
    if (seconds === undefined || (seconds === before.seconds && (before.text !== null || seconds === 0))) continue
    const value = seconds === 0 ? null : [secondsText(seconds), ...before.curve].join(' ')
    const was = before.seconds > 0 ? ` instead of ${secondsText(before.seconds)} s` : ''
    const change = seconds === 0 ? `no longer fades ${side}` : `fades ${side} for ${secondsText(seconds)} s${was}`
    addAttribute(plan, 'changes', place, [`data-fade-${side}`, value], `${name} ${change}.`)
  }
  return plan
}
