import type { RenderStage } from '../parts/event-parts.ts'

/** How fast something is done so far, in parts a second, and the estimated seconds for the rest. */
export interface Pace {
  readonly perSecond: number
  readonly left: number
}

/** Where the measurement of a pace begins. */
export interface PaceStart {
  readonly ms: number
  readonly done: number
}

/** The pace since its start; undefined until that is known. */
export const paceOf = ({ ms, done }: PaceStart, now: PaceStart, total: number): Pace | undefined => {
  const perSecond = ((now.done - done) / (now.ms - ms)) * 1000
  return Number.isFinite(perSecond) && perSecond > 0 ? { perSecond, left: (total - now.done) / perSecond } : undefined
}

/** How far a render is. */
export interface ProgressState {
  readonly stage: RenderStage
  readonly frames: number
  /** 0 as long as it is not known. */
  readonly total: number
  /** Frames a second since the first report of frames; null until that is known. */
  readonly speed: number | null
  /** Of the frames; null until that is known. */
  readonly remainingSeconds: number | null
  /** Where the measurement of the speed begins. */
  readonly start: PaceStart | undefined
}

/** A report of how far a render is. */
export interface ProgressReport {
  readonly stage: RenderStage
  readonly framesRendered: number
  /** 0 as long as it is not known. */
  readonly totalFrames: number
}

const STAGES: readonly RenderStage[] = ['plan', 'render', 'join', 'deliver']

/** Whether a report goes back: frames that are rendered again are counted again, and a restarted server begins again. */
const goesBack = (state: ProgressState, { stage, framesRendered }: ProgressReport): boolean =>
  STAGES.indexOf(stage) < STAGES.indexOf(state.stage) || (stage === state.stage && framesRendered < state.frames)

/** The state of a render after a report; the same object where the report goes back. */
export const advanceProgress = (
  state: ProgressState | undefined,
  report: ProgressReport,
  nowMs: number,
): ProgressState => {
  if (state && goesBack(state, report)) return state
  const { stage, framesRendered: frames, totalFrames: total } = report
  if (stage !== 'render') return { stage, frames, total, speed: null, remainingSeconds: null, start: state?.start }
  const now = { ms: nowMs, done: frames }
  const start = state?.start ?? now
  const pace = paceOf(start, now, total)
  return { stage, frames, total, speed: pace?.perSecond ?? null, remainingSeconds: pace?.left ?? null, start }
}
