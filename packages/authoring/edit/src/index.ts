export { readComments } from './comments/comment-file.ts'
export {
  addComment,
  answerComment,
  type CommentPlace,
  placeComments,
  removeComment,
  resolveComment,
} from './comments/comments.ts'
export { unifiedDiff } from './diff/unified-diff.ts'
export { editErrors } from './errors.ts'
export type { ClipFacts, ElementAddress, ElementFacts, StyleFact } from './inspect/inspect.ts'
export { pinOf } from './inspect/pin.ts'
export { type CompositionPlace, findCompositionPlace, findPreview, pathFrom } from './open-preview/find-preview.ts'
export { openPreviewLink, SHARED } from './open-preview/preview-link.ts'
export { writePreviewNote } from './open-preview/preview-note.ts'
export { type Operation, type OperationName, OperationSchema, type Target } from './operations/operation.ts'
export { kindOfFile } from './plan/media-kind.ts'
export { type EditOptions, type EditSession, openEdit } from './session/session.ts'
export type { StagedFile } from './session/state.ts'
