import { Readable } from 'node:stream'
import { failHttp } from '../errors.ts'

/** Yields the bytes of a stream; fails after more than `maxBytes`. */
export const limitedBody = (stream: Readable, maxBytes: number): Readable =>
  Readable.from(
    (async function* () {
      let bytes = 0
      // Destroying the request would close the connection of its reply.
      const chunks: AsyncIterable<Buffer> = stream.iterator({ destroyOnReturn: false })
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > maxBytes) throw failHttp('VID_HTTP_BODY_TOO_LARGE', { bytes: maxBytes })
        yield chunk
      }
    })(),
    { objectMode: false },
  )
