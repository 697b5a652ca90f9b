import { CloudAssetSchema, CloudReplySchema, CloudUploadInputSchema, CloudUploadSchema } from '@vid/client/contract'
import { Type } from '@vid/protocol'
import { clientGone } from '@vid/server'
import { fail } from '../errors.ts'
import { assetReply } from '../projects/assets.ts'
import { beginUpload, completeUpload, putPart, readUpload } from '../projects/uploads.ts'
import { bodyBytes } from './asset-routes.ts'
import type { CloudParts } from './parts.ts'
import { keyHeaders } from './schemas.ts'

const BYTES = 'application/octet-stream'
const MAX_PARTS = 1_000_000

/** Refuses a part number that is written in another way, such as `1e0`: one part has one address. */
const requirePlain = (url: string): void => {
  const [path = ''] = url.split('?')
  if (!/\/(?:0|[1-9]\d*)$/.test(path))
    throw fail('VID_CLOUD_PARAMETER', { field: 'number', problem: 'is not written as a plain whole number' })
}

// An id of another format does not exist.
const uploadId = Type.String()

const upload = { 200: CloudReplySchema(CloudUploadSchema) }

const described = (operationId: string, summary: string) => ({ operationId, summary, tags: ['assets'] })

const addStart = (parts: CloudParts): void => {
  const { app, database } = parts
  app.post(
    '/v3/assets/uploads',
    {
      config: { drains: true },
      schema: {
        ...described('createUpload', 'Begin to upload a zip in parts'),
        headers: keyHeaders,
        body: CloudUploadInputSchema,
        response: upload,
      },
    },
    async ({ owner, body, headers }, reply) => {
      const start = await beginUpload(owner, body, headers['idempotency-key'], parts)
      if (start.isReplay) reply.header('idempotency-replayed', 'true')
      return { data: start.upload }
    },
  )
  app.get(
    '/v3/assets/uploads/:upload_id',
    {
      schema: {
        ...described('getUpload', 'Which parts of an upload have arrived'),
        params: Type.Object({ upload_id: uploadId }),
        response: upload,
      },
    },
    async ({ owner, params }) => ({ data: await readUpload(database, owner, params.upload_id) }),
  )
}

const addPart = (parts: CloudParts): void => {
  const { app, settings } = parts
  // The route reads the body as it arrives.
  app.addContentTypeParser(BYTES, (_request, payload, done) => done(null, payload))
  app.put(
    '/v3/assets/uploads/:upload_id/parts/:number',
    {
      config: { drains: true, uploadBytes: settings.partBytes },
      schema: {
        ...described('putUploadPart', 'Send a part of an upload; the same part may be sent again'),
        params: Type.Object({
          upload_id: uploadId,
          number: Type.Integer({ minimum: 0, maximum: MAX_PARTS }),
        }),
        // Without a type, because the check sees the stream and not its bytes.
        body: { content: { [BYTES]: { schema: Type.Unsafe<unknown>({ format: 'binary' }) } } },
        response: upload,
      },
    },
    async (request, reply) => {
      const { upload_id, number } = request.params
      requirePlain(request.url)
      const to = { accountId: request.owner, uploadId: upload_id, number }
      return { data: await putPart(to, bodyBytes(request), parts, clientGone(reply)) }
    },
  )
}

const addCompletion = (parts: CloudParts): void => {
  const { app, storage, settings, metrics } = parts
  app.post(
    '/v3/assets/uploads/:upload_id/complete',
    {
      config: { drains: true },
      schema: {
        ...described('completeUpload', 'Make an asset of an upload whose parts have all arrived'),
        params: Type.Object({ upload_id: uploadId }),
        response: { 200: CloudReplySchema(CloudAssetSchema) },
      },
    },
    async ({ owner, params }, reply) => {
      const asset = await completeUpload(owner, params.upload_id, parts, clientGone(reply))
      metrics.uploaded(asset.bytes)
      return { data: await assetReply(asset, storage, Date.now() + settings.addressTtlMs) }
    },
  )
}

/** Adds the routes of multipart uploads, which survive a lost connection. */
export const addUploadRoutes = (parts: CloudParts): void => {
  addStart(parts)
  addPart(parts)
  addCompletion(parts)
}
