import type { Operation } from '../operations/operation.ts'
import type { Plan } from '../patch/plan.ts'
import type { OperationContext } from './context.ts'
import { planFade } from './fade.ts'
import { planInsert } from './insert.ts'
import { planMedia, planVolume } from './media.ts'
import { planMove } from './move.ts'
import { planOrder, planTrack } from './order.ts'
import { planRemove } from './remove.ts'
import { planSize } from './size.ts'
import { planDuplicate, planSplit } from './split.ts'
import { planStyle } from './style.ts'
import { planSet, planText } from './text.ts'
import { planTrim } from './trim.ts'
import { planVariable } from './variable.ts'

/** Plans an operation: what it changes, and what there is to say about it. */
export const planOperation = (operation: Operation, context: OperationContext): Plan | Promise<Plan> => {
  switch (operation.op) {
    case 'move':
      return planMove(operation, context)
    case 'trim':
      return planTrim(operation, context)
    case 'split':
      return planSplit(operation, context)
    case 'duplicate':
      return planDuplicate(operation, context)
    case 'remove':
      return planRemove(operation, context)
    case 'insert':
      return planInsert(operation, context)
    case 'order':
      return planOrder(operation, context)
    case 'track':
      return planTrack(operation, context)
    case 'text':
      return planText(operation, context)
    case 'set':
      return planSet(operation, context)
    case 'style':
      return planStyle(operation, context)
    case 'media':
      return planMedia(operation, context)
    case 'volume':
      return planVolume(operation, context)
    case 'fade':
      return planFade(operation, context)
    case 'variable':
      return planVariable(operation, context)
    case 'size':
      return planSize(operation, context)
  }
}
