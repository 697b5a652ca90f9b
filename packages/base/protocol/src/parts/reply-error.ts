import type { DeepReadonly } from '../readonly.ts'
import { type Static, Type } from '../schema.ts'
import { ErrorDataSchema } from './event-parts.ts'

/** Id of a request to a server: that of its header `x-request-id`, or one that the server has chosen. */
export const RequestIdSchema = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,128}$' })

/** What went wrong, in a reply. */
export const ReplyErrorSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  /** The field of the body that is wrong. */
  field: Type.Optional(Type.String()),
  /** What to do. */
  hint: Type.Optional(Type.String()),
  /** Whose fault it is. */
  fault: Type.Optional(ErrorDataSchema.properties.fault),
})
export type ReplyError = DeepReadonly<Static<typeof ReplyErrorSchema>>

/** A reply that reports an error. */
export const ErrorReplySchema = Type.Object({
  success: Type.Literal(false),
  requestId: RequestIdSchema,
  error: ReplyErrorSchema,
})
export type ErrorReply = DeepReadonly<Static<typeof ErrorReplySchema>>
