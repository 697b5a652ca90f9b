// What else a browser needs to show captions: nothing here imports anything of Node.
export type { Captions, Cue } from './model/cue.ts'
export { type CompositionPart, placeTrack } from './model/place-cues.ts'
export { readVtt } from './text/read-vtt.ts'
export { writeVttText } from './text/vtt-text.ts'
