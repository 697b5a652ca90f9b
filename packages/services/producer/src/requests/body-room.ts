import { Readable } from 'node:stream'
import { type App, createUploadSpace, type UploadSpace } from '@vid/server'
import type { FastifyRequest } from 'fastify'
import { uploadsFull } from '../errors.ts'
import { FORM_JSON_BYTES } from './body.ts'
import type { ServerJob } from './job.ts'

/** The memory for clients' JSON: of incoming bodies, and of waiting or running requests. */
export interface BodyRoom {
  /** Releases the body of a request, except what its job needs until it ends. */
  accepted(request: FastifyRequest, job: ServerJob): void
}

const isJson = ({ headers }: FastifyRequest): boolean => String(headers['content-type']).startsWith('application/json')

/** The memory of one body. */
const partOf = (room: UploadSpace) => {
  let bytes = 0
  return {
    take(more: number) {
      room.take(more)
      bytes += more
    },
    release() {
      room.free(bytes)
      bytes = 0
    },
  }
}

/** Passes a body on while memory is available; counts received bytes, not announced ones. */
const counted = (payload: Readable, take: (bytes: number) => void): Readable =>
  Readable.from(
    (async function* () {
      // Destroying the request would close the connection of its reply.
      const chunks: AsyncIterable<Buffer> = payload.iterator({ destroyOnReturn: false })
      for await (const chunk of chunks) {
        take(chunk.length)
        yield chunk
      }
    })(),
    { objectMode: false },
  )

/** Counts the bodies that an app reads, and refuses those that exceed the memory limit. */
export const watchBodies = (
  app: App,
  { heldBodyBytes, bodyBytes }: { readonly heldBodyBytes: number; readonly bodyBytes: number },
): BodyRoom => {
  const room = createUploadSpace(heldBodyBytes, uploadsFull)
  const releases = new WeakMap<FastifyRequest, () => void>()
  app.addHook('preParsing', async (request, reply, payload) => {
    // Zips are written to disk, whose space is limited elsewhere.
    if (request.headers['content-type'] === undefined || request.method === 'PUT') return payload
    const { take, release } = partOf(room)
    releases.set(request, release)
    reply.raw.once('close', release)
    if (isJson(request)) return counted(payload as Readable, take)
    // The zip of a form is written to disk; its JSON is held in memory.
    take(Math.min(FORM_JSON_BYTES, bodyBytes))
    return payload
  })
  return {
    accepted(request, job) {
      request.body = undefined
      releases.get(request)?.()
      const bytes = Buffer.byteLength(JSON.stringify(job.accepted.body))
      room.use(bytes)
      void job.ended.then(() => room.free(bytes))
    },
  }
}
