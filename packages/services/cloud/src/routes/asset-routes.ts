import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CloudAssetSchema, CloudReplySchema } from '@vid/client/contract'
import { Type } from '@vid/protocol'
import { clientGone, failHttp } from '@vid/server'
import type { FastifyRequest } from 'fastify'
import { readAccount } from '../accounts/account-limits.ts'
import { fail } from '../errors.ts'
import { type Asset, assetReply, useAsset } from '../projects/assets.ts'
import { largestZip } from '../projects/uploads.ts'
import { doOnce } from '../requests/idempotency.ts'
import type { CloudParts } from './parts.ts'
import { keyHeaders } from './schemas.ts'

const ROUTE = 'POST /v3/assets'
const FILE = 'file'
/** Size allowed for the form around a zip. */
const FORM_BYTES = 64 * 1024
const NAME_BYTES = 100
const MAX_SHOWN = 200

const parameter = (problem: string) => fail('VID_CLOUD_PARAMETER', { field: FILE, problem })

/** The error of a body whose type the route does not read. */
const otherType = ({ headers }: FastifyRequest) =>
  failHttp('VID_HTTP_MEDIA_TYPE', {
    found: (headers['content-type'] ?? 'a body without a Content-Type').slice(0, MAX_SHOWN),
  })

/** Runs work with the zip in a form, which must be its only part. */
const withZip = async <T>(
  request: FastifyRequest,
  maxBytes: number,
  use: (zip: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> => {
  if (!request.isMultipart()) throw otherType(request)
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > maxBytes + FORM_BYTES) throw fail('VID_CLOUD_PROJECT_BYTES', { limit: maxBytes })
  let upload: { readonly result: T } | undefined
  const limits = { parts: 3, fields: 2, files: 2, fieldNameSize: NAME_BYTES, fileSize: maxBytes + 1 }
  for await (const part of request.parts({ limits })) {
    if (part.type !== 'file' || part.fieldname !== FILE || upload) {
      const name = JSON.stringify(part.fieldname.slice(0, NAME_BYTES))
      throw parameter(`is the one part that is read; got ${upload ? 'another part, ' : ''}${name}`)
    }
    // Destroying the stream would close the connection of its reply.
    upload = { result: await use(part.file.iterator({ destroyOnReturn: false })) }
  }
  if (!upload) throw parameter('is missing: send the zip as a part of this name')
  return upload.result
}

const hashOf = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}

/** The reply stored for an asset; its address is signed again each time. */
interface StoredAsset {
  readonly asset_id: string
}

/** Adds the routes that receive project zips. */
export const addAssetRoutes = (parts: CloudParts): void => {
  const { app, database, storage, intake, settings, metrics } = parts
  const replyOf = async (asset: Asset) => ({
    data: await assetReply(asset, storage, Date.now() + settings.addressTtlMs),
  })
  app.post(
    '/v3/assets',
    {
      config: { drains: true, uploadBytes: Number.MAX_SAFE_INTEGER },
      schema: {
        operationId: 'createAsset',
        summary: 'Upload the zip of a project',
        tags: ['assets'],
        headers: keyHeaders,
        body: {
          content: {
            'multipart/form-data': {
              schema: Type.Unsafe<unknown>({
                // The route parses the form itself, so the server sees no body.
                type: ['object', 'null'],
                properties: { [FILE]: { type: 'string', format: 'binary' } },
                required: [FILE],
              }),
            },
          },
        },
        response: { 200: CloudReplySchema(CloudAssetSchema) },
      },
    },
    async (request, reply) => {
      const { owner: accountId } = request
      const signal = clientGone(reply)
      const maxBytes = largestZip(await readAccount(database, accountId), settings)
      const receive = () =>
        withZip(request, maxBytes, (bytes) => intake.receive({ accountId, bytes, maxBytes, signal }))
      const key = request.headers['idempotency-key']
      if (key === undefined) {
        const { asset } = await receive()
        metrics.uploaded(asset.bytes)
        return replyOf(asset)
      }
      const keyed = { accountId, route: ROUTE, key, bodyHash: () => withZip(request, maxBytes, hashOf) }
      const { body, isReplay } = await doOnce(database, keyed, settings.replyLockMs, async (settle) => {
        const { asset, sha256 } = await receive()
        const storedReply = { status: 200, body: { asset_id: asset.id } satisfies StoredAsset }
        await settle(database, storedReply, sha256)
        metrics.uploaded(asset.bytes)
        return storedReply
      })
      if (isReplay) reply.header('idempotency-replayed', 'true')
      return replyOf(await useAsset(database, accountId, (body as StoredAsset).asset_id))
    },
  )
}

/** Yields the bytes of a body as they arrive; refuses a body that was parsed, because it is JSON or a form. */
export const bodyBytes = (request: FastifyRequest): AsyncIterable<Uint8Array> => {
  if (!(request.body instanceof Readable)) throw otherType(request)
  return request.body.iterator({ destroyOnReturn: false })
}
