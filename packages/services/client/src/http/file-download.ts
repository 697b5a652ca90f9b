import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { describeCause, isVidError } from '@vid/protocol'
import type { Retries } from '@vid/system'
import { connectionError } from './connection.ts'
import type { Connection, Reply } from './exchange.ts'
import { badReply } from './replies.ts'
import { createRetries } from './retries.ts'

/** How often a download may restart from the first byte. */
const MAX_BEGINNINGS = 5

/** A file to download. */
export interface RemoteFile {
  readonly bytes: number
  /** SHA-256 (hex). */
  readonly digest: string
}

/** The current location of a file. */
export interface FilePlace {
  readonly connection: Connection
  /** Path from the root of the server. */
  readonly path: string
}

/** Options of a download. */
export interface DownloadRules {
  /** The server's entity tag for this version of the file, in quotes; that of its first reply if left out. */
  readonly entityTag?: string | undefined
  /** Called with the number of received bytes. */
  onProgress?(bytes: number): void
  /** Finds the new location of the file after an error at its old one; undefined if there is none. */
  moved?(thrown: unknown): Promise<FilePlace | undefined>
}

/** A file that is being downloaded. */
interface Arriving extends RemoteFile {
  readonly handle: FileHandle
  readonly path: string
  hash: ReturnType<typeof createHash>
  /** Number of bytes received and written. */
  offset: number
  beginnings: number
  entityTag: string | undefined
}

const writing = async <T>(connection: Connection, path: string, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (cause) {
    if (isVidError(cause)) throw cause
    throw connection.errors.fail('UNWRITABLE', { path, reason: describeCause(cause) }, { cause })
  }
}

const begin = async (file: Arriving, connection: Connection): Promise<void> => {
  if (file.beginnings >= MAX_BEGINNINGS)
    throw badReply(connection, `a file was begun again ${file.beginnings} times, and never arrived`)
  file.beginnings += 1
  file.offset = 0
  file.hash = createHash('sha256')
  await writing(connection, file.path, file.handle.truncate(0))
}

/** Checks that a reply continues where the file ends, or starts again at its beginning. */
const checkStart = async (reply: Reply, file: Arriving, connection: Connection): Promise<void> => {
  const { status, headers } = reply
  if (status === 200) return file.offset === 0 && file.beginnings > 0 ? undefined : begin(file, connection)
  const [, start] = /^bytes (\d{1,16})-/.exec(String(headers['content-range'])) ?? []
  if (status !== 206 || Number(start) !== file.offset)
    throw badReply(connection, 'a part of a file is not the one that was asked for')
}

const writeAt = async ({ handle, offset }: Arriving, chunk: Uint8Array): Promise<void> => {
  for (let position = 0; position < chunk.length; )
    position += (await handle.write(chunk, position, chunk.length - position, offset + position)).bytesWritten
}

/** A strong tag identifies the bytes; a weak one only their meaning. */
const strongTag = ({ headers }: Reply): string | undefined => {
  const { etag } = headers
  return etag?.startsWith('"') ? etag : undefined
}

/** Receives the missing part of a file, in one reply. */
const receive = async (
  { connection, path }: FilePlace,
  file: Arriving,
  retries: Retries,
  { onProgress }: DownloadRules,
  signal: AbortSignal,
): Promise<void> => {
  const { entityTag } = file
  const rest = { range: `bytes=${file.offset}-`, ...(entityTag && { 'if-range': entityTag }) }
  const reply = await connection.send({
    method: 'GET',
    path,
    signal,
    ...(file.offset > 0 && { headers: rest }),
  })
  try {
    await checkStart(reply, file, connection)
    file.entityTag ??= strongTag(reply)
    for await (const chunk of reply.body) {
      if (file.offset + chunk.length > file.bytes) throw badReply(connection, 'a file is longer than the server says')
      await writing(connection, file.path, writeAt(file, chunk))
      file.hash.update(chunk)
      file.offset += chunk.length
      retries.reset()
      onProgress?.(file.offset)
    }
  } catch (cause) {
    reply.drop()
    throw connectionError(connection, cause, signal)
  }
  if (file.offset < file.bytes)
    throw connection.errors.fail('CUT', { url: connection.url, reason: 'a file ended too early' })
}

const receiveAll = async (
  first: FilePlace,
  file: Arriving,
  rules: DownloadRules,
  signal: AbortSignal,
): Promise<void> => {
  let place = first
  const retries = createRetries(place.connection)
  while (file.offset < file.bytes || file.beginnings === 0)
    try {
      await receive(place, file, retries, rules, signal)
    } catch (thrown) {
      signal.throwIfAborted()
      const next = await rules.moved?.(thrown)
      if (next) place = next
      else if (isVidError(thrown) && thrown.facts.status === 416) await begin(file, place.connection)
      else await retries.next(thrown, { signal })
    }
  const digest = file.hash.digest('hex')
  if (digest !== file.digest) throw place.connection.errors.fail('DAMAGED', { expected: file.digest, found: digest })
}

/**
 * Downloads a file to a path, resuming after broken connections; it appears once it is complete and its digest matches.
 */
export const downloadFile = async (
  place: FilePlace,
  remoteFile: RemoteFile,
  path: string,
  signal: AbortSignal,
  rules: DownloadRules = {},
): Promise<void> => {
  const { connection } = place
  const part = `${path}.${randomUUID()}.part`
  const handle = await writing(connection, path, open(part, 'wx'))
  try {
    const file: Arriving = {
      ...remoteFile,
      handle,
      path,
      offset: 0,
      beginnings: 0,
      entityTag: rules.entityTag,
      hash: createHash('sha256'),
    }
    await receiveAll(place, file, rules, signal)
    await writing(connection, path, handle.close())
    await writing(connection, path, rename(part, path))
  } catch (thrown) {
    await handle.close().catch(() => {})
    await rm(part, { force: true })
    throw thrown
  }
}
