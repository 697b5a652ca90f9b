import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describeCause } from '@vid/protocol'
import { scratchName } from '@vid/system'
import type { CloudRecord } from '../contract/index.ts'
import { connectionError } from '../http/connection.ts'
import type { Connection } from '../http/exchange.ts'
import type { FilePlace } from '../http/file-download.ts'
import { badReply } from '../http/replies.ts'
import { createRetries } from '../http/retries.ts'
import type { CloudConnection } from './connection.ts'
import { type SignedFile, withSignedFile } from './signed-file.ts'

/** Format of a poster, which is the extension of its file: png if the picture has transparent parts. */
export type PosterFormat = 'jpg' | 'png'

/** Most bytes of a poster that are taken. */
const MAX_BYTES = 256 * 2 ** 20

const formats: Readonly<Record<string, PosterFormat>> = { 'image/jpeg': 'jpg', 'image/png': 'png' }

interface Poster {
  readonly format: PosterFormat
  readonly bytes: Uint8Array
}

/** Receives a poster in one reply. */
const receive = async ({ connection, path }: FilePlace, signal: AbortSignal): Promise<Poster> => {
  const reply = await connection.send({ method: 'GET', path, signal })
  const type = String(reply.headers['content-type']).split(';')[0] ?? ''
  const format = formats[type]
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    if (format === undefined) throw badReply(connection, `a poster is no picture, but ${type}`)
    for await (const chunk of reply.body) {
      size += chunk.length
      if (size > MAX_BYTES) throw badReply(connection, `a poster is larger than ${MAX_BYTES} bytes`)
      chunks.push(chunk)
    }
  } catch (cause) {
    reply.drop()
    throw connectionError(connection, cause, signal)
  }
  return { format, bytes: Buffer.concat(chunks) }
}

const receiveAgain = async ({ place: first, moved }: SignedFile, signal: AbortSignal): Promise<Poster> => {
  let place = first
  const retries = createRetries(place.connection)
  for (;;)
    try {
      return await receive(place, signal)
    } catch (thrown) {
      signal.throwIfAborted()
      const next = await moved(thrown)
      if (next) place = next
      else await retries.next(thrown, { signal })
    }
}

const write = async (connection: Connection, path: string, bytes: Uint8Array): Promise<void> => {
  const part = join(dirname(path), scratchName('.vid-'))
  try {
    await writeFile(part, bytes, { flag: 'wx' })
    await rename(part, path)
  } catch (cause) {
    throw connection.errors.fail('UNWRITABLE', { path, reason: describeCause(cause) }, { cause })
  } finally {
    await rm(part, { force: true })
  }
}

/** Downloads the poster of a completed render to the path for its format, where it appears once it is complete. */
export const downloadPoster = async (
  connection: CloudConnection,
  record: CloudRecord,
  pathFor: (format: PosterFormat) => string | Promise<string>,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<string> => {
  const addressOf = ({ render_id: renderId, poster_url: url }: CloudRecord): string => {
    if (!url) throw badReply(connection, `${renderId} has completed without an address of its poster`)
    return url
  }
  const poster = await withSignedFile(connection, record, addressOf, signal, (file) => receiveAgain(file, signal))
  const path = await pathFor(poster.format)
  await write(connection, path, poster.bytes)
  return path
}
