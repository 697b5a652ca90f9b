export type { SoundBeats } from './beats/beats-schema.ts'
export type { DiffOptions } from './diff/diff-compositions.ts'
export type { DiffReport } from './diff/diff-schema.ts'
export { type DiffSettings, diffSides } from './diff/diff-sides.ts'
export { analysisErrors } from './errors.ts'
export { readOutline, readPageBoxes } from './outline/read-outline.ts'
export { type CompositionFolder, type ReadComposition, reachBetween, readCompositionFiles } from './reach/find-reach.ts'
export { drawSheet, type SheetPlace } from './sheet/draw-sheet.ts'
export { DIFFERENCE_FACTOR } from './sheet/page-html.ts'
export type { Area, Sheet, SheetMark, SheetSection, SheetTile, StillPicture, TilePicture } from './sheet/sheet.ts'
export { findSides } from './sides/find-sides.ts'
export { findCommit, takeCommit } from './sides/git.ts'
export type { Side } from './sides/side.ts'
export type { CompositionSound, Stretch } from './sound/composition-sound.ts'
export { measureSound } from './sound/measure-sound.ts'
export { type MeasuredVoice, measureVoice } from './sound/measure-voice.ts'
export { mixComposition, readSound } from './sound/read-sound.ts'
export type { CompositionState, CompositionStates, Moment, MomentCause } from './states/composition-states.ts'
export {
  type FoundStates,
  findStates,
  type StatesBefore,
  type StatesOptions,
  stepEditedStates,
  stepStates,
  withSmallComposition,
} from './states/find-states.ts'
export { type EditedRange, editedRanges, isEdited } from './states/step-edited.ts'
export type { ChangedPicture } from './states/step-frames.ts'
export type { StillChoice } from './stills/choose-stills.ts'
export { makeSheet, type SheetOptions, type SheetSettings } from './stills/make-sheet.ts'
export type { DrawnSheet } from './stills/sheet-schema.ts'
export { readTimeline, type TimelineSettings } from './timeline/read-timeline.ts'
export type { CompositionTimeline } from './timeline/timeline-schema.ts'
export { timelineText } from './timeline/timeline-text.ts'
