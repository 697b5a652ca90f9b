import { contentTypeOf } from '@vid/assets'
import { clientGone, sendFile } from '@vid/server'
import { API, type FrameBody, FrameBodySchema, type RenderBody, RenderBodySchema } from '../api.ts'
import { operation } from './operation.ts'
import type { PreviewParts } from './parts.ts'

/** Adds what renders: jobs, their files, and single frames. */
export const addJobRoutes = ({ app, jobs, exactFrame, signal }: PreviewParts): void => {
  app.get(API.jobs, { schema: operation('listJobs') }, async () => ({ jobs: jobs.list() }))
  app.post<{ Body: RenderBody }>(
    API.jobs,
    { schema: operation('startJob', { body: RenderBodySchema }) },
    async ({ body }) => jobs.start(body),
  )
  app.get<{ Params: { id: string } }>(API.job, { schema: operation('getJob') }, async ({ params }) =>
    jobs.get(params.id),
  )
  app.delete<{ Params: { id: string } }>(API.job, { schema: operation('cancelJob') }, async ({ params }) =>
    jobs.cancel(params.id),
  )
  app.get<{ Params: { id: string; index: string } }>(
    API.file,
    { schema: operation('getJobFile') },
    async (request, reply) => {
      const path = jobs.file(request.params.id, Number(request.params.index))
      reply.header('cache-control', 'no-store')
      return sendFile(request, reply, { path, type: contentTypeOf(path) })
    },
  )
  app.post<{ Body: FrameBody }>(
    API.frame,
    { schema: operation('captureFrame', { body: FrameBodySchema }) },
    async ({ body }, reply) => {
      const picture = await exactFrame(body, AbortSignal.any([signal, clientGone(reply)]))
      return reply.header('cache-control', 'no-store').type('image/png').send(picture)
    },
  )
}
