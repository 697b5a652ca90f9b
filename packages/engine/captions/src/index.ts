export { estimateWords } from './breaks/estimate-words.ts'
export { type CaptionWriter, writerOf } from './commands/write-captions.ts'
export { captionsReader } from './composition/captions-reader.ts'
export { readTrack } from './composition/language-captions.ts'
export { captionsErrors } from './errors.ts'
export {
  type CaptionProblem,
  type Captions,
  type CaptionWord,
  type Cue,
  moveCaptions,
  type ReadResult,
} from './model/cue.ts'
export { cuesOfWords } from './model/cues-of-words.ts'
export { type CompositionPart, placeTrack } from './model/place-cues.ts'
export {
  type CaptionFile,
  type CaptionFormat,
  type CaptionSource,
  captionFormats,
  readCaptions,
} from './read/read-captions.ts'
export { readVtt } from './text/read-vtt.ts'
export { readSrt, writeSrt } from './text/srt.ts'
export { writeVtt } from './text/write-vtt.ts'
