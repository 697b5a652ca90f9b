import {
  type ProducerEvent,
  ProducerEventSchema,
  ProducerRecordSchema,
  type ProducerRender,
  ProducerRenderSchema,
  ProducerResultSchema,
  type ProducerSnapshot,
  ProducerSnapshotSchema,
  ProducerStillsSchema,
  Type,
} from '@vid/kernel'
import { clientGone, openEventStream } from '@vid/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkRender, readRequest } from '../requests/intake.ts'
import type { Job } from '../requests/job.ts'
import { stillSettings } from '../requests/render-settings.ts'
import { cancelled } from '../requests/service.ts'
import { bodyOrForm } from './form-schema.ts'
import type { RouteParts } from './parts.ts'

const CANCELLED_STATUS = 499

/** Events of which a slow client needs the newest only. */
const replaceable = ({ type }: ProducerEvent) =>
  type === 'progress' || type === 'queued' ? { replaces: type } : {}

/** Sends a job's events until its last; a client that leaves early is told to `onGone`. */
const streamJob = (job: Job, request: FastifyRequest, reply: FastifyReply, onGone: () => void): void => {
  const stream = openEventStream(request, reply)
  stream.gone.addEventListener('abort', onGone, { once: true })
  const stop = job.listen((event) => stream.send(event, replaceable(event)))
  if (stream.gone.aborted) onGone()
  job.ended.then(() => {
    stop()
    void stream.close()
  })
}

const wantsNoWaiting = ({ headers }: FastifyRequest): boolean =>
  String(headers.prefer ?? '')
    .split(',')
    .some((each) => each.trim().toLowerCase() === 'respond-async')

const Events = {
  description: 'Server-sent events, each with one of these objects as its data.',
  content: { 'text/event-stream': { schema: ProducerEventSchema } },
}

/** The routes that put work into the queue. */
export const addWorkRoutes = (parts: RouteParts): void => {
  const { app, service, wording } = parts

  const acceptRender = async (request: FastifyRequest, signal: AbortSignal): Promise<Job> => {
    const reserved = service.reserve(request.id)
    try {
      const { body, composition } = await readRequest<ProducerRender>(
        request,
        ProducerRenderSchema,
        parts,
        signal,
      )
      const { outputPath } = await checkRender(body, composition, parts).catch((thrown) => {
        composition.project?.release()
        throw thrown
      })
      return await service.accept({
        ...{ requestId: request.id, owner: request.owner, kind: 'render', body, outputPath },
        project: composition.project,
        projectDir: composition.project ? undefined : composition.projectDir,
      })
    } finally {
      reserved.release()
    }
  }
  const acceptSnapshot = async (request: FastifyRequest, signal: AbortSignal): Promise<Job> => {
    const reserved = service.reserve(request.id)
    try {
      const { body, composition } = await readRequest<ProducerSnapshot>(
        request,
        ProducerSnapshotSchema,
        parts,
        signal,
      )
      try {
        stillSettings(body, { projectDir: composition.projectDir, output: parts.folder }, parts.settings)
      } catch (thrown) {
        composition.project?.release()
        throw thrown
      }
      return await service.accept({
        ...{ requestId: request.id, owner: request.owner, kind: 'snapshot', body },
        project: composition.project,
        projectDir: composition.project ? undefined : composition.projectDir,
      })
    } finally {
      reserved.release()
    }
  }
  /** Answers with the end of a job, which a client that leaves cancels. */
  const waitFor = async (job: Job, gone: AbortSignal, reply: FastifyReply): Promise<FastifyReply> => {
    const cancel = () => job.cancel(cancelled())
    gone.addEventListener('abort', cancel, { once: true })
    if (gone.aborted) cancel()
    const ending = await job.ended
    if (ending.status === 'completed') return reply.send(ending.result)
    const { requestId } = job.accepted
    const [status, error] =
      ending.status === 'failed'
        ? [ending.httpStatus, ending.error]
        : [CANCELLED_STATUS, wording.replyError(cancelled())]
    return reply.code(status).serializer(JSON.stringify).send({ success: false, requestId, error })
  }
  const work = { config: { drains: true } } as const
  const { uploadBytes, bodyBytes } = parts.settings
  const bodyLimit = uploadBytes + bodyBytes

  app.post(
    '/render',
    {
      ...work,
      bodyLimit,
      schema: {
        operationId: 'render',
        summary: 'Render a composition, and answer when it is done',
        description:
          'With `Prefer: respond-async` the answer comes as soon as the request is accepted; the render then goes on without a client. Otherwise a client that leaves cancels it.',
        tags: ['render'],
        body: bodyOrForm(ProducerRenderSchema),
        response: { 200: ProducerResultSchema, 202: ProducerRecordSchema },
      },
    },
    async (request, reply) => {
      const gone = clientGone(reply)
      const job = await acceptRender(request, gone)
      if (!wantsNoWaiting(request)) return waitFor(job, gone, reply)
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
      bodyLimit,
      schema: {
        operationId: 'renderStream',
        summary: 'Render a composition, and tell how far it is',
        tags: ['render'],
        body: bodyOrForm(ProducerRenderSchema),
        response: { 200: Events },
      },
    },
    async (request, reply) => {
      const job = await acceptRender(request, clientGone(reply))
      streamJob(job, request, reply, () => job.cancel(cancelled()))
      return reply
    },
  )
  app.post(
    '/snapshot',
    {
      ...work,
      bodyLimit,
      schema: {
        operationId: 'takeSnapshots',
        summary: 'Take PNG stills of a composition',
        tags: ['render'],
        body: bodyOrForm(ProducerSnapshotSchema),
        response: { 200: ProducerStillsSchema },
      },
    },
    async (request, reply) => {
      const gone = clientGone(reply)
      return waitFor(await acceptSnapshot(request, gone), gone, reply)
    },
  )
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
        response: { 200: Events },
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
        summary: 'Cancel a request that waits or runs',
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
