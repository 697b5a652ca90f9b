import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { describeCause, isVidError, type ProducerResult } from '@vid/kernel'
import { connectionError } from './connection.ts'
import { fail } from './errors.ts'
import type { Connection, Reply } from './exchange.ts'
import { createPatience, type Patience } from './patience.ts'
import { badReply } from './replies.ts'

/** A file of the server, as its replies tell it. */
export type ProducerOutput = Pick<ProducerResult, 'outputUrl' | 'fileSize' | 'digest'>

/** The only addresses that a file may have: a reply must not lead to another host. */
const ADDRESS = /^\/outputs\/[\w-]{1,200}$/

/** How often a file is begun again from its first byte. */
const MAX_BEGINNINGS = 5

/** A file while it arrives. */
interface Arriving {
  readonly handle: FileHandle
  readonly path: string
  readonly bytes: number
  readonly digest: string
  hash: ReturnType<typeof createHash>
  /** Bytes that have arrived and are written. */
  offset: number
  beginnings: number
}

const unwritable = (path: string, cause: unknown) =>
  isVidError(cause)
    ? cause
    : fail('VID_PRODUCER_UNWRITABLE', { path, reason: describeCause(cause) }, { cause })

const writing = async <T>(path: string, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (cause) {
    throw unwritable(path, cause)
  }
}

const begin = async (file: Arriving, url: string): Promise<void> => {
  if (file.beginnings >= MAX_BEGINNINGS)
    throw badReply(url, `a file was begun again ${file.beginnings} times, and never arrived`)
  file.beginnings += 1
  file.offset = 0
  file.hash = createHash('sha256')
  await writing(file.path, file.handle.truncate(0))
}

/** Where a reply goes on, which must be where the file ends, or its beginning. */
const checkStart = async ({ status, headers }: Reply, file: Arriving, url: string): Promise<void> => {
  if (status === 200) return file.offset === 0 && file.beginnings > 0 ? undefined : begin(file, url)
  const [, start] = /^bytes (\d{1,16})-/.exec(String(headers['content-range'])) ?? []
  if (status !== 206 || Number(start) !== file.offset)
    throw badReply(url, 'a part of a file is not the one that was asked for')
}

const writeAt = async ({ handle, offset }: Arriving, chunk: Uint8Array): Promise<void> => {
  for (let done = 0; done < chunk.length; )
    done += (await handle.write(chunk, done, chunk.length - done, offset + done)).bytesWritten
}

/** Receives what is missing of a file, in one reply. */
const receive = async (
  connection: Connection,
  path: string,
  file: Arriving,
  patience: Patience,
  signal: AbortSignal,
): Promise<void> => {
  const { url } = connection
  const rest = { range: `bytes=${file.offset}-`, 'if-range': `"${file.digest}"` }
  const reply = await connection.send({
    ...{ method: 'GET', path, signal },
    ...(file.offset > 0 && { headers: rest }),
  })
  try {
    await checkStart(reply, file, url)
    for await (const chunk of reply.body) {
      if (file.offset + chunk.length > file.bytes)
        throw badReply(url, 'a file is longer than the server says')
      await writing(file.path, writeAt(file, chunk))
      file.hash.update(chunk)
      file.offset += chunk.length
      patience.reset()
    }
  } catch (cause) {
    reply.drop()
    throw connectionError(url, cause, signal)
  }
  if (file.offset < file.bytes) throw fail('VID_PRODUCER_CUT', { url, reason: 'a file ended before its end' })
}

const receiveAll = async (
  connection: Connection,
  address: string,
  file: Arriving,
  signal: AbortSignal,
): Promise<void> => {
  const patience = createPatience(connection)
  while (file.offset < file.bytes || file.beginnings === 0)
    try {
      await receive(connection, address, file, patience, signal)
    } catch (thrown) {
      if (isVidError(thrown) && thrown.facts.status === 416) await begin(file, connection.url)
      else await patience.wait(thrown, signal)
    }
  const found = file.hash.digest('hex')
  if (found !== file.digest) throw fail('VID_PRODUCER_DAMAGED', { expected: file.digest, found })
}

/** Fetches a file to a path, through cut connections; it is there once it is whole and has its digest, or not at all. */
export const download = async (
  connection: Connection,
  { outputUrl, fileSize, digest }: ProducerOutput,
  path: string,
  signal: AbortSignal,
): Promise<void> => {
  const { url } = connection
  if (outputUrl === null || digest === null) throw fail('VID_PRODUCER_OUTPUT_ELSEWHERE', { url })
  if (!ADDRESS.test(outputUrl)) throw badReply(url, 'the address of a file is not one of its own outputs')
  const part = `${path}.${randomUUID()}.part`
  const handle = await writing(path, open(part, 'wx'))
  try {
    const file: Arriving = {
      ...{ handle, path, bytes: fileSize, digest, offset: 0, beginnings: 0 },
      hash: createHash('sha256'),
    }
    await receiveAll(connection, outputUrl, file, signal)
    await writing(path, handle.close())
    await writing(path, rename(part, path))
  } catch (thrown) {
    await handle.close().catch(() => {})
    await rm(part, { force: true })
    throw thrown
  }
}
