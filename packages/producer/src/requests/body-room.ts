import type { App } from '@vid/server'
import type { FastifyRequest } from 'fastify'
import { createRoom } from '../projects/room.ts'
import { FORM_JSON_BYTES } from './body.ts'
import type { Job } from './job.ts'

/** The memory for JSON of clients: of bodies that arrive, and of requests that wait or run. */
export interface BodyRoom {
  /** Lets go of the body of a request, of which its job keeps what it needs until it ends. */
  accepted(request: FastifyRequest, job: Job): void
}

/** As much as the body of a request may take in memory, before it is read; the zip of a form goes to the disk. */
const sizeOf = ({ headers }: FastifyRequest, bodyBytes: number): number => {
  if (!String(headers['content-type']).startsWith('application/json'))
    return Math.min(FORM_JSON_BYTES, bodyBytes)
  const length = Number(headers['content-length'])
  return Number.isInteger(length) && length >= 0 ? Math.min(length, bodyBytes) : bodyBytes
}

/** Counts the bodies that an app reads, and refuses those for which there is no memory left. */
export const watchBodies = (
  app: App,
  { heldBodyBytes, bodyBytes }: { readonly heldBodyBytes: number; readonly bodyBytes: number },
): BodyRoom => {
  const room = createRoom(heldBodyBytes)
  const held = new WeakMap<FastifyRequest, () => void>()
  app.addHook('preParsing', async (request, reply, payload) => {
    // Zips go to the disk, whose space is counted elsewhere.
    if (request.headers['content-type'] === undefined || request.method === 'PUT') return payload
    const bytes = sizeOf(request, bodyBytes)
    room.take(bytes)
    let isHeld = true
    const free = () => {
      if (isHeld) room.free(bytes)
      isHeld = false
    }
    held.set(request, free)
    reply.raw.once('close', free)
    return payload
  })
  return {
    accepted(request, job) {
      request.body = undefined
      held.get(request)?.()
      const bytes = Buffer.byteLength(JSON.stringify(job.accepted.body))
      room.use(bytes)
      void job.ended.then(() => room.free(bytes))
    },
  }
}
