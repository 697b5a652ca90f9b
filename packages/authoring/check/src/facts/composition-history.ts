import { type EditedRange, editedRanges, type FoundStates, type ReadComposition, reachBetween } from '@vid/analysis'
import { type CompositionPicture, type CompositionVoice, canonicalJson } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import type { MeasuredFrames } from './measure-contrasts.ts'
import type { PageRecord } from './page-record.ts'

/** What was found of a composition, to be found again only where an edit can be seen. */
export interface CompositionHistory {
  readonly composition: ReadComposition
  readonly plan: RenderPlan
  readonly states: FoundStates
  readonly pictures: readonly CompositionPicture[]
  readonly record: PageRecord
  readonly voices: readonly CompositionVoice[]
  readonly measured: MeasuredFrames
  /** What pages were warned of, each by its code and message. */
  readonly warnings: ReadonlySet<string>
}

/** What an edit has left as it was. */
export interface CompositionEdit {
  readonly history: CompositionHistory
  /** Frames in which it can be seen. */
  readonly ranges: readonly EditedRange[]
  readonly isHeard: boolean
}

const shapeOf = ({ frames, fps, width, height, capture, composition }: RenderPlan) =>
  canonicalJson({ frames, fps: String(fps), width, height, capture, stateful: composition.stateful })

const soundOf = ({ audio, frames }: RenderPlan) => canonicalJson({ audio, frames })

/** Where an edit of a composition can be seen; undefined where every frame has to be looked at again. */
export const findEdit = (
  history: CompositionHistory | undefined,
  composition: ReadComposition,
  plan: RenderPlan,
): CompositionEdit | undefined => {
  if (!history || plan.composition.stateful || shapeOf(history.plan) !== shapeOf(plan)) return undefined
  const ranges = editedRanges(reachBetween(history.composition, composition), plan)
  return ranges && { history, ranges, isHeard: soundOf(history.plan) !== soundOf(plan) }
}
