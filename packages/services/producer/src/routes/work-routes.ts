import {
  ProducerRecordSchema,
  ProducerRenderSchema,
  ProducerResultSchema,
  ProducerSnapshotSchema,
  ProducerStillsSchema,
} from '@vid/client/contract'
import { clientGone } from '@vid/server'
import { acceptRender, acceptSnapshot } from '../requests/accept.ts'
import { cancelled } from '../requests/work.ts'
import { replyWithEnd, streamJob, wantsNoWaiting } from './job-replies.ts'
import type { ProducerParts } from './parts.ts'
import { bodyOrForm, eventsReply } from './schemas.ts'

/** What all routes that queue work have in common. */
const working = ({ settings: { uploadBytes, bodyBytes } }: ProducerParts) =>
  ({ config: { drains: true, uploadBytes: uploadBytes + bodyBytes } }) as const

const addRenders = (parts: ProducerParts): void => {
  const { app, replyText } = parts
  const work = working(parts)
  app.post(
    '/render',
    {
      ...work,
      schema: {
        operationId: 'render',
        summary: 'Render a composition, and reply when it is done',
        description:
          'With `Prefer: respond-async` the answer comes as soon as the request is accepted; the render then goes on without a client. Otherwise a client that leaves cancels it.',
        tags: ['render'],
        body: bodyOrForm(ProducerRenderSchema),
        response: { 200: ProducerResultSchema, 202: ProducerRecordSchema },
      },
    },
    async (request, reply) => {
      const goneSignal = clientGone(reply)
      const job = await acceptRender(request, parts, goneSignal)
      if (!wantsNoWaiting(request)) return replyWithEnd(job, goneSignal, reply, replyText)
      return reply
        .code(202)
        .headers({ location: `/render/${job.accepted.requestId}`, 'preference-applied': 'respond-async' })
        .send(job.record())
    },
  )
  app.post(
    '/render/stream',
    {
      ...work,
      schema: {
        operationId: 'renderStream',
        summary: 'Render a composition, and stream its progress',
        tags: ['render'],
        body: bodyOrForm(ProducerRenderSchema),
        response: { 200: eventsReply },
      },
    },
    async (request, reply) => {
      const job = await acceptRender(request, parts, clientGone(reply))
      streamJob(job, request, reply, () => job.cancel(cancelled()))
      return reply
    },
  )
}

const addSnapshots = (parts: ProducerParts): void => {
  const { app, replyText } = parts
  app.post(
    '/snapshot',
    {
      ...working(parts),
      schema: {
        operationId: 'takeSnapshots',
        summary: 'Take PNG stills of a composition',
        tags: ['render'],
        body: bodyOrForm(ProducerSnapshotSchema),
        response: { 200: ProducerStillsSchema },
      },
    },
    async (request, reply) => {
      const goneSignal = clientGone(reply)
      return replyWithEnd(await acceptSnapshot(request, parts, goneSignal), goneSignal, reply, replyText)
    },
  )
}

/** Adds the routes that queue work. */
export const addWorkRoutes = (parts: ProducerParts): void => {
  addRenders(parts)
  addSnapshots(parts)
}
