import { ProducerEventSchema, type TSchema, Type } from '@vid/kernel'

/** How OpenAPI describes a body that is JSON, or a form with the same JSON and a zip of the project. */
export const bodyOrForm = (schema: TSchema) => ({
  content: {
    'application/json': { schema },
    'multipart/form-data': {
      schema: Type.Unsafe<unknown>({
        // The route reads the form itself: the server sees no body.
        type: ['object', 'null'],
        description:
          'The request as JSON in the part `request`, and a zip of the project in the part `projectZip`.',
        properties: { request: schema, projectZip: { type: 'string', format: 'binary' } },
        required: ['projectZip'],
      }),
    },
  },
})

/** How OpenAPI describes a stream of events. */
export const eventsReply = {
  description: 'Server-sent events, each with one of these objects as its data.',
  content: { 'text/event-stream': { schema: ProducerEventSchema } },
}
