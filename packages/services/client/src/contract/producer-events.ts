import { CountSchema, type DeepReadonly, ReplyErrorSchema, RequestIdSchema, type Static, Type } from '@vid/protocol'
import { PlaylistUrlSchema, ProducerProgressSchema, ProducerResultSchema } from './producer-replies.ts'

const Request = { requestId: RequestIdSchema }

/** What `POST /render/stream` sends: `queued` and `progress` any number of times, then exactly one of the others. */
export const ProducerEventSchema = Type.Union([
  Type.Object({
    type: Type.Literal('queued'),
    ...Request,
    /** Number of requests ahead. */
    position: CountSchema,
  }),
  Type.Object({
    type: Type.Literal('progress'),
    ...Request,
    ...ProducerProgressSchema.properties,
    playlistUrl: PlaylistUrlSchema,
  }),
  Type.Object({ type: Type.Literal('complete'), ...ProducerResultSchema.properties }),
  Type.Object({ type: Type.Literal('error'), ...Request, error: ReplyErrorSchema }),
  Type.Object({ type: Type.Literal('cancelled'), ...Request }),
])
export type ProducerEvent = DeepReadonly<Static<typeof ProducerEventSchema>>
