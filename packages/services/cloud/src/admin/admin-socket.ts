import { chmod, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { describeCause, ErrorDataSchema, isVidError, parseAs, type Static, Type, VidError } from '@vid/protocol'
import { makeFolder } from '@vid/system'
import { fail } from '../errors.ts'
import { type AdminParts, callAdmin } from './admin-functions.ts'

/** Longest socket path that works on every system. */
const MAX_PATH = 100

const folderOf = (state: string): string => join(state, 'admin')
const pathOf = (state: string): string => join(folderOf(state), 'socket')

const ReplySchema = Type.Object({ result: Type.Optional(Type.Unknown()), error: Type.Optional(ErrorDataSchema) })
type Reply = Static<typeof ReplySchema>

const replyTo = async (parts: AdminParts, body: unknown, signal: AbortSignal): Promise<Reply> => {
  try {
    const { name, params } = body as { readonly name?: unknown; readonly params?: unknown }
    return { result: await callAdmin(parts, String(name), params, signal) }
  } catch (thrown) {
    const error = isVidError(thrown) ? thrown : fail('VID_CLOUD_ADMIN_FAILED', { reason: describeCause(thrown) })
    return { error: error.toJSON() }
  }
}

/**
 * Serves operator commands on a socket in the state folder, which only this user may open, while this process uses the
 * folder. Undefined if the folder's path is too long for a socket.
 */
export const serveAdmin = async (parts: AdminParts, state: string): Promise<{ close(): Promise<void> } | undefined> => {
  const path = pathOf(state)
  if (Buffer.byteLength(path) > MAX_PATH) return undefined
  // Keeps others out of the folder, even before the socket has its mode.
  await makeFolder(folderOf(state), 0o700)
  await chmod(folderOf(state), 0o700)
  // Left by a killed process: this process holds the folder's lock, so nobody listens on the socket.
  await rm(path, { force: true })
  const closing = new AbortController()
  const server = createServer((incoming, response) => {
    const hangUp = new AbortController()
    response.once('close', () => hangUp.abort())
    json(incoming)
      .then((body) => replyTo(parts, body, AbortSignal.any([hangUp.signal, closing.signal])))
      .then(
        (reply) => response.setHeader('content-type', 'application/json').end(JSON.stringify(reply)),
        () => response.destroy(),
      )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  await chmod(path, 0o600)
  return {
    close: () =>
      new Promise((resolve) => {
        closing.abort(new Error('the server is closing'))
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

const post = (socketPath: string, body: string, signal: AbortSignal | undefined): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, method: 'POST', path: '/', signal }, (response) => {
      text(response)
        .then((reply) => {
          const checked = parseAs(ReplySchema, reply)
          if (!checked) throw fail('VID_CLOUD_ADMIN_FAILED', { reason: 'its reply cannot be read' })
          resolve(checked)
        })
        .catch(reject)
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })

/** Whether a server answers on the socket of a state folder; undefined if the path is too long for one. */
export const isServed = async (state: string): Promise<boolean | undefined> => {
  const path = pathOf(state)
  if (Buffer.byteLength(path) > MAX_PATH) return undefined
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** Runs an operator function on the server that uses a state folder; undefined if no server answers. */
export const callServer = async (
  state: string,
  name: string,
  params: unknown,
  signal?: AbortSignal,
): Promise<{ readonly result: unknown } | undefined> => {
  const path = pathOf(state)
  if (Buffer.byteLength(path) > MAX_PATH) return undefined
  const { result, error } = await post(path, JSON.stringify({ name, params }), signal).catch((thrown: unknown) => {
    const { code } = thrown as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return { error: undefined, result: undefined }
    signal?.throwIfAborted()
    throw isVidError(thrown)
      ? thrown
      : fail('VID_CLOUD_ADMIN_FAILED', { reason: describeCause(thrown) }, { cause: thrown })
  })
  if (error) throw new VidError(error.code, error)
  return result === undefined ? undefined : { result }
}
