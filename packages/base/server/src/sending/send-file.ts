import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { rethrowMachineFault, Type } from '@vid/protocol'
import { type ByteRange, parseByteRange } from '@vid/system'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failHttp } from '../errors.ts'
import { attachment } from './content-disposition.ts'

const bytes = {
  content: {
    'application/octet-stream': { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
  },
}

/** OpenAPI description of the replies of `sendFile`. */
export const fileReplies = {
  200: { description: 'The whole file.', ...bytes },
  206: { description: 'The requested range.', ...bytes },
}

/** A file to send. */
export interface SentFile {
  /** Absolute path of a regular file; a link as its last part is not followed. */
  readonly path: string
  readonly type: string
  /** Name for saving; the browser displays the file if it is left out. */
  readonly name?: string | undefined
  /** Strong entity tag with its quotes; changes with the bytes. */
  readonly etag?: string | undefined
  /** The `fileMark` of the expected file; another file in its place is not sent. */
  readonly mark?: string | undefined
}

/** A mark that distinguishes a file from a later one at its path, and from itself with other contents. */
export const fileMark = ({ ino, size, mtimeMs }: Stats): string => `${ino}-${size}-${mtimeMs}`

/** Opening a FIFO must not block. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const openForRead = async (path: string): Promise<FileHandle> => {
  try {
    return await open(path, OPEN_FLAGS)
  } catch (cause) {
    rethrowMachineFault(cause)
    throw failHttp('VID_HTTP_NOT_FOUND', {}, { cause })
  }
}

const listsTag = (header: string | undefined, etag: string | undefined): boolean =>
  header !== undefined &&
  etag !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))

/** The requested byte range, if its condition holds. */
const rangeOf = ({ method, headers }: FastifyRequest, etag: string | undefined, bytes: number) => {
  const condition = headers['if-range']
  const isSame = condition === undefined || (etag !== undefined && condition === etag)
  return method === 'GET' && isSame ? parseByteRange(headers.range, bytes) : undefined
}

/** Cuts the connection if a file is shorter than announced, so that no client takes a part for the whole. */
const streamOf = (handle: FileHandle, { start, end }: ByteRange, reply: FastifyReply): Readable => {
  const stream = handle.createReadStream({ start, end })
  stream.once('end', () => {
    if (stream.bytesRead !== end - start + 1) reply.raw.destroy()
  })
  return stream
}

/** Sets status and headers; returns the byte range to send, or undefined to send nothing. */
const answer = (
  bytes: number,
  request: FastifyRequest,
  reply: FastifyReply,
  { type, name, etag }: SentFile,
): ByteRange | undefined => {
  const range = rangeOf(request, etag, bytes)
  reply.header('accept-ranges', 'bytes')
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${bytes}`)
    throw failHttp('VID_HTTP_RANGE', { bytes })
  }
  if (etag !== undefined) reply.header('etag', etag)
  if (listsTag(request.headers['if-none-match'], etag)) {
    reply.code(304)
    return undefined
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  reply
    .code(range ? 206 : 200)
    .type(type)
    .header('content-length', end - start + 1)
  if (range) reply.header('content-range', `bytes ${start}-${end}/${bytes}`)
  if (name !== undefined) reply.header('content-disposition', attachment(name))
  return request.method === 'HEAD' || end < start ? undefined : { start, end }
}

/** Replies to GET and HEAD with a file or the requested part; the file is opened once. */
export const sendFile = async (request: FastifyRequest, reply: FastifyReply, file: SentFile): Promise<FastifyReply> => {
  const handle = await openForRead(file.path)
  try {
    const facts = await handle.stat()
    const isMeant = file.mark === undefined || file.mark === fileMark(facts)
    if (!facts.isFile() || !isMeant) throw failHttp('VID_HTTP_NOT_FOUND', {})
    const range = answer(facts.size, request, reply, file)
    if (range && !reply.raw.destroyed) return reply.send(streamOf(handle, range, reply))
    await handle.close()
    // The header keeps the length that GET would send.
    return reply.send(Readable.from([]))
  } catch (thrown) {
    await handle.close()
    throw thrown
  }
}
