export { filmErrors } from './errors.ts'
export type { FilmTimeline, SoundBeats } from './events.ts'
export { readBoxes, readOutline } from './outline/read-outline.ts'
export { type FilmFolder, type ReadComposition, reachBetween, readComposition } from './reach/find-reach.ts'
export { drawSheet, type SheetPlace } from './sheet/draw-sheet.ts'
export { DIFFERENCE_FACTOR } from './sheet/page-html.ts'
export type { Area, Sheet, SheetMark, SheetSection, SheetTile, StillPicture, TilePicture } from './sheet/sheet.ts'
export type { FilmSound, Stretch } from './sound/film-sound.ts'
export { measureSound } from './sound/measure-sound.ts'
export { type MeasuredVoice, measureVoice } from './sound/measure-voice.ts'
export { mixFilm, readSound } from './sound/read-sound.ts'
export type { FilmState, FilmStates, Moment, MomentCause } from './states/film-states.ts'
export {
  type FoundStates,
  findStates,
  type StatesBefore,
  type StatesOptions,
  stepEditedStates,
  stepStates,
  withSmallFilm,
} from './states/find-states.ts'
export { type EditedRange, editedRanges, isEdited } from './states/step-edited.ts'
export type { ChangedPicture } from './states/step-film.ts'
export { readTimeline, type TimelineSettings } from './timeline/read-timeline.ts'
export { timelineText } from './timeline/timeline-text.ts'
