import { CommentTextSchema, type PlacedComment } from '@vid/edit/events'
import { type Static, Type } from '@vid/protocol'
import type { InspectBody } from './edit-api.ts'
import { InspectBodySchema } from './edit-api.ts'

const exact = { additionalProperties: false }
const Seconds = Type.Number({ minimum: 0, maximum: 86_400 })

/** Body of `POST /api/comments`. */
export const CommentBodySchema = Type.Object(
  {
    entry: InspectBodySchema.properties.entry,
    from: Seconds,
    to: Type.Union([Seconds, Type.Null()]),
    /** The element that it is about; null for the composition. */
    target: Type.Union([InspectBodySchema.properties.target, Type.Null()]),
    text: CommentTextSchema,
  },
  exact,
)
export interface CommentBody extends Omit<Static<typeof CommentBodySchema>, 'target'> {
  readonly target: InspectBody['target'] | null
}

/** Body of `POST /api/comments/:id`: an answer, or whether it is done. */
export const CommentChangeBodySchema = Type.Union([
  Type.Object({ entry: InspectBodySchema.properties.entry, text: CommentTextSchema }, exact),
  Type.Object({ entry: InspectBodySchema.properties.entry, isResolved: Type.Boolean() }, exact),
])
export type CommentChangeBody = Static<typeof CommentChangeBodySchema>

/** The comments on one composition. */
export interface CommentsReply {
  /** In order of time. */
  readonly comments: readonly PlacedComment[]
}
