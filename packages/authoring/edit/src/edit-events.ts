import { CountSchema, type DeepReadonly, errorEvent, Nullable, type Static, Type } from '@vid/protocol'

const Line = Type.Integer({ minimum: 1 })
const Place = { file: Type.String(), line: Line, text: Type.String() }
const Seconds = Nullable(Type.Number())
const Window = Type.Object({ start: Seconds, end: Seconds })
const Digest = Nullable(Type.String())

/** Who edits: a person at some surface, the command, or an assistant by its name. */
export const EditorSchema = Type.Object({
  kind: Type.Union([Type.Literal('person'), Type.Literal('command'), Type.Literal('assistant')]),
  name: Type.String({ minLength: 1, maxLength: 100 }),
})
export type Editor = DeepReadonly<Static<typeof EditorSchema>>

/** A file before and after an edit, by SHA-256 of its bytes; null where it does not exist. */
const EditedFile = Type.Object({ file: Type.String(), before: Digest, after: Digest })

/** What an edit changes, and what its author should know before it is written. */
export const EditReceiptSchema = Type.Object({
  /** One sentence for each operation. */
  summary: Type.Array(Type.String()),
  changes: Type.Array(Type.Object(Place)),
  /** What is changed along with it, or moves by itself. */
  follows: Type.Array(Type.Object(Place)),
  /** `shared`, `unfollowed`, `style`, `script`, `structure` or `variable`. */
  notes: Type.Array(Type.Object({ kind: Type.String(), ...Place })),
  /** Clips whose time changed, in seconds of their composition; null where only the page knows. */
  windows: Type.Array(
    Type.Object({
      element: Type.String(),
      file: Type.String(),
      line: Line,
      before: Nullable(Window),
      after: Nullable(Window),
    }),
  ),
  files: Type.Array(EditedFile),
})
export type EditReceipt = DeepReadonly<Static<typeof EditReceiptSchema>>

/** A written edit, as the history of a project keeps it. */
export const EditEntrySchema = Type.Object({
  id: Line,
  /** Milliseconds since 1970. */
  writtenMs: Type.Number(),
  who: EditorSchema,
  summary: Type.Array(Type.String()),
  operations: Type.Array(Type.Unknown()),
  files: Type.Array(EditedFile),
  /** Whether it was undone, and by whom. */
  undone: Nullable(EditorSchema),
})
export type EditEntry = DeepReadonly<Static<typeof EditEntrySchema>>

/** The events of `vid edit`. */
export const editEventSchemas = [
  Type.Object({
    type: Type.Literal('edit'),
    ...EditReceiptSchema.properties,
    /** Unified diff of the files. */
    diff: Type.String(),
    /** The entry of the history; null where nothing was written. */
    entry: Nullable(EditEntrySchema),
    /** Whether it is staged in an open preview, where a person writes or drops it. */
    staged: Type.Boolean(),
  }),
  errorEvent('edit-error'),
  Type.Object({
    type: Type.Literal('edit-undo'),
    /** Null where what was staged in an open preview was taken back. */
    entry: Nullable(EditEntrySchema),
    undoable: CountSchema,
    redoable: CountSchema,
  }),
  Type.Object({
    type: Type.Literal('edit-redo'),
    entry: EditEntrySchema,
    undoable: CountSchema,
    redoable: CountSchema,
  }),
  Type.Object({ type: Type.Literal('edit-log'), entries: Type.Array(EditEntrySchema) }),
] as const
