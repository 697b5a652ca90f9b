import { ProducerRecordSchema } from '@vid/client/contract'
import { Type } from '@vid/protocol'
import { streamJob } from './job-replies.ts'
import type { ProducerParts } from './parts.ts'
import { eventsReply } from './schemas.ts'

/** Adds the routes about accepted requests. */
export const addRequestRoutes = ({ app, service }: ProducerParts): void => {
  const params = Type.Object({ requestId: Type.String({ minLength: 1, maxLength: 128 }) })
  app.get(
    '/render/:requestId',
    {
      schema: {
        operationId: 'getRender',
        summary: 'The state of a request, and its result',
        tags: ['render'],
        params,
        response: { 200: ProducerRecordSchema },
      },
    },
    async ({ owner, params: { requestId } }) => service.find(owner, requestId).record(),
  )
  app.get(
    '/render/:requestId/stream',
    {
      schema: {
        operationId: 'followRender',
        summary: 'Follow a request; leaving does not cancel it',
        tags: ['render'],
        params,
        response: { 200: eventsReply },
      },
    },
    async (request, reply) => {
      const job = service.find(request.owner, request.params.requestId)
      streamJob(job, request, reply, () => {})
      return reply
    },
  )
  app.delete(
    '/render/:requestId',
    {
      schema: {
        operationId: 'cancelRender',
        summary: 'Cancel a waiting or running request',
        tags: ['render'],
        params,
        response: { 200: ProducerRecordSchema },
      },
    },
    async ({ owner, params: { requestId } }) => {
      const job = service.find(owner, requestId)
      return service.cancel(job)
    },
  )
}
