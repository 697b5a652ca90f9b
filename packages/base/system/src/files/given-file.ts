import { close, constants, fstat, open, readFile } from 'node:fs'
import { Socket } from 'node:net'
import { promisify } from 'node:util'

// Numbers rather than handles, since a socket closes what it reads from by itself.
const openFile = promisify(open)
const closed = promisify(close)
const facts = promisify(fstat)
const read = promisify(readFile)

/** The bytes of a pipe until its writers have closed it; waiting for them ends with the signal. */
const readPipe = async (pipe: number, maxBytes: number, signal: AbortSignal | undefined): Promise<Buffer> => {
  const socket = new Socket({ fd: pipe, readable: true, writable: false, ...(signal && { signal }) })
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of socket as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes > maxBytes) break
  }
  return Buffer.concat(parts)
}

/** A file or pipe that a user names; or its size when that is over the limit. */
export const readGivenBytes = async (
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<{ readonly content: Uint8Array } | { readonly bytes: number }> => {
  signal?.throwIfAborted()
  // Opening a pipe must not wait for one who writes to it: nothing could stop that.
  const file = await openFile(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  let isOwned = true
  try {
    const stats = await facts(file)
    if (stats.isFile() && stats.size > maxBytes) return { bytes: stats.size }
    if (!stats.isFile() && !stats.isFIFO()) throw new Error('it is neither a file nor a pipe')
    isOwned = stats.isFile()
    const content = stats.isFile() ? await read(file) : await readPipe(file, maxBytes, signal)
    return content.length > maxBytes ? { bytes: content.length } : { content }
  } finally {
    if (isOwned) await closed(file)
  }
}

/** A file or pipe that a user names, as text without a byte order mark; or its size when that is over the limit. */
export const readGivenFile = async (
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<{ readonly text: string } | { readonly bytes: number }> => {
  const read = await readGivenBytes(path, maxBytes, signal)
  return 'content' in read ? { text: new TextDecoder().decode(read.content) } : read
}
