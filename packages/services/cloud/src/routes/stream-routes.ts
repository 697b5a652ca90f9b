import { dirname } from 'node:path'
import { Type } from '@vid/protocol'
import { endedPlaylist } from '@vid/s3'
import { failHttp, fileReplies, publishedType, sendPublished } from '@vid/server'
import { fail } from '../errors.ts'
import { STREAMS_PATH } from '../streams/stream-address.ts'
import { streamPrefix } from '../streams/stream-key.ts'
import { readStreamFile, type StreamFile } from '../streams/stream-records.ts'
import type { CloudParts } from './parts.ts'

/** Whether an address is valid: until it expires, but not before the render has ended, nor soon after. */
const isValid = (expiresMs: number, { completed_at: completedAt }: StreamFile, ttlMs: number): boolean =>
  Math.max(expiresMs, completedAt === null ? Infinity : completedAt.getTime() + ttlMs) > Date.now()

/** Serves videos that are played while they are rendered, at signed addresses. */
export const addStreamRoutes = ({ app, database, storage, files, streams, settings }: CloudParts): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${STREAMS_PATH}/:token/:name`,
    config: { public: true },
    schema: {
      operationId: 'getStream',
      summary: 'A playlist or a part of an hls video, by its signed address',
      tags: ['files'],
      params: Type.Object({
        token: Type.String({ minLength: 1, maxLength: 256 }),
        name: Type.String({ minLength: 1, maxLength: 128 }),
      }),
      response: fileReplies,
    },
    handler: async (request, reply) => {
      const { token, name } = request.params
      const address = streams.check(token)
      if (!address) throw fail('VID_CLOUD_ADDRESS_EXPIRED', {})
      const file = await readStreamFile(database, address, name)
      if (!file || !isValid(address.expiresMs, file, settings.addressTtlMs)) throw fail('VID_CLOUD_ADDRESS_EXPIRED', {})
      const type = publishedType(name)
      if (type === undefined || (file.playlist === null && !file.is_file)) throw failHttp('VID_HTTP_NOT_FOUND', {})
      reply.headers({
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'referrer-policy': 'no-referrer',
      })
      if (file.playlist !== null) {
        const text = file.has_ended ? endedPlaylist(file.playlist) : file.playlist
        return reply.type(type).header('cache-control', 'no-store').send(text)
      }
      const key = `${streamPrefix(address)}${name}`
      if (files) return sendPublished(request, reply, { folder: dirname(files.pathOf(key)), name })
      const expiresMs = Math.max(address.expiresMs, Date.now() + settings.addressTtlMs)
      return reply.header('cache-control', 'no-store').redirect(await storage.address(key, { expiresMs, type }))
    },
  })
}
