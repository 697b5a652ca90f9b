import type { Readable } from 'node:stream'
import { Type } from '@vid/protocol'
import { clientGone, limitedBody } from '@vid/server'
import { API } from '../api.ts'
import type { Uploads } from '../uploads/uploads.ts'
import { operation } from './operation.ts'
import type { PreviewParts } from './parts.ts'

const BYTES = 'application/octet-stream'

const UploadQuery = Type.Object({ name: Type.String({ maxLength: 1000 }) })

/** Adds what receives the files that are dropped onto the page. */
export const addDropRoutes = ({ app, maxUploadBytes, signal }: PreviewParts, uploads: Uploads): void => {
  // The body is read by the route, as it arrives.
  app.addContentTypeParser(BYTES, (_request, payload, done) => done(null, payload))
  app.post<{ Querystring: { name: string }; Body: Readable }>(
    API.upload,
    { config: { uploadBytes: maxUploadBytes }, schema: operation('uploadFile', { querystring: UploadQuery }) },
    async ({ query, body }, reply) =>
      uploads.receive(query.name, limitedBody(body, maxUploadBytes), AbortSignal.any([signal, clientGone(reply)])),
  )
}
