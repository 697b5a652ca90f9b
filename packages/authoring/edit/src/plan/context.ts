import { labelOf } from '@vid/core/source-model'
import type { VidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { OperationName, Target } from '../operations/operation.ts'
import { clipOf, type SourceClip } from '../source/clips.ts'
import { type Located, locate } from '../source/locate.ts'
import type { Sources } from '../source/sources.ts'

/** What an operation is planned with. */
export interface OperationContext {
  readonly sources: Sources
  /** The project, with its links resolved. */
  readonly dir: string
  readonly signal: AbortSignal | undefined
}

/** The error of an operation that an element does not allow. */
export const refuse = (op: OperationName, subject: string, reason: string, advice: string): VidError =>
  fail('VID_EDIT_REFUSED', { what: `"${op}" of ${subject}`, reason, advice })

/** The clip that a target stands for. */
export const requireClip = ({ sources }: OperationContext, op: OperationName, target: Target): SourceClip => {
  const place = locate(sources, target)
  const clip = clipOf(place.file, place.element)
  if (clip) return clip
  throw refuse(
    op,
    labelOf(place.element),
    place.element === place.file.root ? 'it is the composition itself' : 'it has no data-start of its own',
    'Choose a clip: an element with data-start; "set" gives an element one.',
  )
}

/** A target that must not be the root of its file. */
export const requireInner = ({ sources }: OperationContext, op: OperationName, target: Target): Located => {
  const place = locate(sources, target)
  const { file, element } = place
  const isPage = ['html', 'head', 'body'].includes(element.tagName)
  if (element !== file.root && !isPage && !file.scopes.slice(0, 1).some(({ holder }) => holder === element))
    return place
  throw refuse(op, labelOf(element), 'it is the composition itself', 'Choose an element inside of it.')
}
