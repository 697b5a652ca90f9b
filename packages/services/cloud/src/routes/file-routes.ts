import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { rethrowMachineFault, Type } from '@vid/protocol'
import { failHttp, fileMark, fileReplies, sendFile } from '@vid/server'
import { fail } from '../errors.ts'
import { FILES_PATH } from '../storage/signed-files.ts'
import type { CloudParts } from './parts.ts'

const text = Type.Optional(Type.String({ maxLength: 1000 }))

// The schema library cannot convert this key.
const params = Type.Unsafe<{ readonly '*': string }>({
  type: 'object',
  properties: { '*': { type: 'string' } },
  required: ['*'],
})

/** Serves the files of a folder storage at signed addresses. */
export const addFileRoutes = ({ app, files }: CloudParts): void => {
  if (!files) return
  app.route({
    method: ['GET', 'HEAD'],
    url: `${FILES_PATH}/*`,
    config: { public: true },
    schema: {
      operationId: 'getFile',
      summary: 'Download a file, or a range of its bytes, by its signed address',
      tags: ['files'],
      params,
      querystring: Type.Object({ expires: text, type: text, name: text, signature: text }),
      response: fileReplies,
    },
    handler: async (request, reply) => {
      const file = files.signed.check(request.params['*'], request.query, Date.now())
      if (!file) throw fail('VID_CLOUD_ADDRESS_EXPIRED', {})
      const path = files.pathOf(file.key)
      const facts = await stat(path).catch(rethrowMachineFault)
      if (!facts) throw failHttp('VID_HTTP_NOT_FOUND', {})
      const mark = fileMark(facts)
      const etag = `"${createHash('sha256').update(mark).digest('hex').slice(0, 32)}"`
      reply.headers({
        'cache-control': 'private, no-store',
        // Untrusted content must never act as a page of this server, whatever its type.
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'referrer-policy': 'no-referrer',
      })
      return sendFile(request, reply, { path, type: file.type, name: file.fileName, etag, mark })
    },
  })
}
