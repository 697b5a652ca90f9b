import {
  ProducerEventSchema,
  ProducerLintSchema,
  ProducerProgressSchema,
  ProducerProjectSchema,
  ProducerQueueSchema,
  ProducerRecordSchema,
  ProducerRenderSchema,
  ProducerResultSchema,
  ProducerSnapshotSchema,
  ProducerStillsSchema,
} from '@vid/client/contract'
import { ReplyErrorSchema, type TSchema, Type, WarningSchema } from '@vid/protocol'

/** The named schemas of the OpenAPI document. */
export const producerSchemas = {
  RenderRequest: ProducerRenderSchema,
  SnapshotRequest: ProducerSnapshotSchema,
  LintRequest: ProducerLintSchema,
  RenderResult: ProducerResultSchema,
  Stills: ProducerStillsSchema,
  RenderRecord: ProducerRecordSchema,
  RenderEvent: ProducerEventSchema,
  Progress: ProducerProgressSchema,
  Queue: ProducerQueueSchema,
  Project: ProducerProjectSchema,
  ReplyError: ReplyErrorSchema,
  Warning: WarningSchema,
} as const

/** OpenAPI description of a body that is JSON, or a form with the same JSON and a zip of the project. */
export const bodyOrForm = (schema: TSchema) => ({
  content: {
    'application/json': { schema },
    'multipart/form-data': {
      schema: Type.Unsafe<unknown>({
        // The route parses the form itself, so the server sees no body.
        type: ['object', 'null'],
        description: 'The request as JSON in the part `request`, and a zip of the project in the part `projectZip`.',
        properties: { request: schema, projectZip: { type: 'string', format: 'binary' } },
        required: ['projectZip'],
      }),
    },
  },
})

/** OpenAPI description of an event stream. */
export const eventsReply = {
  description: 'Server-sent events, each with one of these objects as its data.',
  content: { 'text/event-stream': { schema: ProducerEventSchema } },
}
