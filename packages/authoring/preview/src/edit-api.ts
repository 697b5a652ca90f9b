import type { TreeClip } from '@vid/core'
import { type ClipFacts, type ElementFacts, type Operation, OperationSchema } from '@vid/edit'
import { type Editor, EditorSchema, type EditReceipt } from '@vid/edit/events'
import { type ErrorData, type Static, Type } from '@vid/protocol'

const entry = Type.String({ minLength: 1, maxLength: 1000 })
const exact = { additionalProperties: false }

/** Query of `GET /api/edit`, and body of what needs the composition alone. */
export const EditBodySchema = Type.Object({ entry }, exact)
export type EditBody = Static<typeof EditBodySchema>

/**
 * Body of `POST /api/edit/stage`: operations that are staged together, and taken back together. With the `version` of the
 * facts from which they were made, they are refused where what is staged has another one.
 */
export const StageBodySchema = Type.Object(
  {
    entry,
    operations: Type.Array(OperationSchema, { minItems: 1, maxItems: 500 }),
    version: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  exact,
)
export interface StageBody extends EditBody {
  readonly operations: readonly Operation[]
  readonly version?: number
}

/** An element by its DOM id, as in `#title` or `card.html#title`, or by its place in one version of a file. */
const TargetSchema = Type.Union([
  Type.String({ pattern: '#', maxLength: 2000 }),
  Type.Object(
    {
      file: Type.String({ maxLength: 1024 }),
      path: Type.String({ maxLength: 10_000 }),
      digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    },
    exact,
  ),
])

/** An element by its place in the page, as the `path` of a box of the picture has it. */
const PagePlaceSchema = Type.Object({ page: Type.String({ minLength: 1, maxLength: 10_000 }) }, exact)

/** An element by its line in one version of a file, as findings name it. */
const LinePlaceSchema = Type.Object(
  { file: Type.String({ maxLength: 1024 }), line: Type.Integer({ minimum: 1 }) },
  exact,
)

/** Body of `POST /api/edit/inspect`. */
export const InspectBodySchema = Type.Object(
  { entry, target: Type.Union([TargetSchema, PagePlaceSchema, LinePlaceSchema]) },
  exact,
)
export type InspectBody = Static<typeof InspectBodySchema>

/** Body of `POST /api/edit/resolve`: what becomes of staged changes that do not fit files that another program wrote. */
export const ResolveBodySchema = Type.Object(
  { entry, keep: Type.Union([Type.Literal('mine'), Type.Literal('theirs')]) },
  exact,
)
export type ResolveBody = Static<typeof ResolveBodySchema>

/** Body of `POST /api/edit/drop`: one of the staged calls, counted from 0. */
export const DropBodySchema = Type.Object({ entry, index: Type.Integer({ minimum: 0 }) }, exact)
export type DropBody = Static<typeof DropBodySchema>

/** Body of `POST /api/shared/undo`, and with `operations` of `POST /api/shared/stage`. */
export const SharedUndoBodySchema = Type.Object({ entry, who: EditorSchema }, exact)
export type SharedUndoBody = Static<typeof SharedUndoBodySchema>
export const SharedStageBodySchema = Type.Object(
  { entry, who: EditorSchema, operations: Type.Array(OperationSchema, { minItems: 1, maxItems: 500 }) },
  exact,
)
export interface SharedStageBody extends SharedUndoBody {
  readonly operations: readonly Operation[]
}

/** What is staged of one composition, and what the source holds of it. */
export interface EditState {
  readonly entry: string
  /** Another number than before whenever anything of it may be different. */
  readonly version: number
  /** Another number than before whenever what is staged is another picture than the last one and than the files. */
  readonly picture: number
  /** How many changes can be taken back one by one. */
  readonly changes: number
  /** What is staged, oldest first. */
  readonly steps: readonly EditReceipt[]
  /** Who has staged each of them. */
  readonly authors: readonly Editor[]
  /** Unified diff of what is staged. */
  readonly diff: string
  readonly clips: readonly ClipFacts[]
  /** The same elements as the timeline shows them. */
  readonly tree: readonly TreeClip[]
  /** Why what is staged does not fit what another program wrote; null while it does. */
  readonly conflict: ErrorData | null
  /** What the next undo and the next redo change: what is staged, or what was written; null for nothing. */
  readonly undo: 'staged' | 'written' | null
  readonly redo: 'staged' | 'written' | null
}

/** Reply of `POST /api/edit/resolve`. */
export interface ResolveReply extends EditState {
  /** Why some of the staged changes could not be kept. */
  readonly dropped: readonly ErrorData[]
}

/** A file that was sent. */
export interface UploadReply {
  /** What an operation imports that is about it. */
  readonly upload: string
  /** Its name, as the project may have it. */
  readonly name: string
  readonly kind: 'video' | 'audio' | 'image'
  /** Seconds; null for a picture. */
  readonly duration: number | null
}

/** What the sources hold of an element, in one version of what is staged. */
export interface ElementInspection extends ElementFacts {
  readonly version: number
}

export type { ClipFacts, Operation }
