import { CountSchema, type DeepReadonly, errorEvent, IndexSchema, Nullable, type Static, Type } from '@vid/protocol'
import { EditorSchema } from './edit-events.ts'

const Seconds = Type.Number({ minimum: 0, maximum: 86_400 })
const Line = Type.Integer({ minimum: 1 })
const File = Type.String({ minLength: 1, maxLength: 1024 })

/** The text of a comment, or of an answer to one. */
export const CommentTextSchema = Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' })

/** What identifies the element of a comment, so that it is found again after its file has changed. */
export const CommentPinSchema = Type.Object({
  file: File,
  /** DOM id; null without one. */
  id: Nullable(Type.String()),
  /** Path in the source, as addresses of edits have it. */
  path: Type.String(),
  tag: Type.String(),
  /** Shortened start tag. */
  element: Type.String(),
  /** The beginning of its text. */
  text: Type.String(),
})
export type CommentPin = DeepReadonly<Static<typeof CommentPinSchema>>

const CommentAnswer = Type.Object({ who: EditorSchema, text: CommentTextSchema, writtenMs: Type.Number() })

/** A comment on a composition, as the project keeps it. */
export const CommentSchema = Type.Object({
  id: Line,
  /** File of the composition. */
  entry: File,
  /** Seconds; `to` is null for a comment on one moment. */
  from: Seconds,
  to: Nullable(Seconds),
  /** The element that it is about; null for the composition. */
  pin: Nullable(CommentPinSchema),
  who: EditorSchema,
  text: CommentTextSchema,
  /** Milliseconds since 1970. */
  writtenMs: Type.Number(),
  answers: Type.Array(CommentAnswer, { maxItems: 100 }),
  /** Who marked it as done; null while it is open. */
  resolved: Nullable(EditorSchema),
})
export type Comment = DeepReadonly<Static<typeof CommentSchema>>

/** An element of the sources that a comment or a selection is about. */
const ElementPlace = Type.Object({
  file: File,
  line: Line,
  /** How operations of `vid edit` name it. */
  target: Type.Union([Type.String(), Type.Object({ file: Type.String(), path: Type.String(), digest: Type.String() })]),
})

/** A comment, with its element as the sources have it now. */
export const PlacedCommentSchema = Type.Object({
  ...CommentSchema.properties,
  /** Null for a comment on the composition, and where the element is gone. */
  place: Nullable(ElementPlace),
})
export type PlacedComment = DeepReadonly<Static<typeof PlacedCommentSchema>>

/** What the page of a preview shows, as it reports it. */
export const PreviewViewSchema = Type.Object({
  entry: File,
  frame: IndexSchema,
  /** Seconds of the frame. */
  time: Seconds,
  isPlaying: Type.Boolean(),
  /** The range that is marked, in seconds; null for none. */
  range: Nullable(Type.Object({ from: Seconds, to: Seconds })),
  /** The selected element; null for none. `place` is null where the sources do not hold it. */
  selected: Nullable(Type.Object({ element: Type.String({ maxLength: 1000 }), place: Nullable(ElementPlace) })),
})
export type PreviewView = DeepReadonly<Static<typeof PreviewViewSchema>>

/** An edit that is staged in a preview, and who made it. */
const StagedEdit = Type.Object({ who: EditorSchema, summary: Type.Array(Type.String()) })

/** What an open preview shows, and what is staged in it. */
export const OpenPreviewSchema = Type.Object({
  /** Null until a page is open. */
  view: Nullable(PreviewViewSchema),
  /** What is staged for the shown composition, the oldest first. */
  staged: Type.Array(StagedEdit),
  /** Why what is staged does not fit the files any more; null while it does. */
  conflict: Nullable(Type.String()),
})
export type OpenPreview = DeepReadonly<Static<typeof OpenPreviewSchema>>

/** The events of `vid comments`. */
export const commentEventSchemas = [
  Type.Object({
    type: Type.Literal('comments-list'),
    /** In order of time. */
    comments: Type.Array(PlacedCommentSchema),
    /** Comments that are done and not listed. */
    resolved: CountSchema,
    /** Null while no preview of the project is open. */
    preview: Nullable(OpenPreviewSchema),
    /** Absolute folder of the project, and folders below the named one that are open in previews, where it is not. */
    dir: Type.String(),
    elsewhere: Type.Array(Type.String()),
  }),
  errorEvent('comments-error'),
  Type.Object({ type: Type.Literal('comments-add'), comment: CommentSchema }),
  Type.Object({ type: Type.Literal('comments-answer'), comment: CommentSchema }),
  Type.Object({ type: Type.Literal('comments-resolve'), comment: CommentSchema }),
] as const
