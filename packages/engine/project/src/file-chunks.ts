import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { failProject, unreadable } from './errors.ts'

const CHUNK_BYTES = 256 * 1024

/** The bytes of an open file from `start` to `end`, in chunks; fewer when the file ends before. */
export async function* chunksOf(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let position = start; position < end; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** A file of a project that is open for reading. */
export interface OpenFile {
  readonly handle: FileHandle
  readonly length: number
  readonly mode: '0644' | '0755'
  /** Throws when the file is no longer what it was when it was opened. */
  readonly checkUnchanged: () => Promise<void>
}

/** Opens a file, neither following a link nor waiting at a pipe that was put in its place; `path` is for messages. */
export const openFile = async (file: string, path: string): Promise<OpenFile> => {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(file, flags).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ELOOP') throw failProject('VID_PROJECT_CHANGED', { path })
    throw unreadable(path, cause)
  })
  try {
    const before = await handle.stat({ bigint: true })
    if (!before.isFile()) throw failProject('VID_PROJECT_CHANGED', { path })
    const checkUnchanged = async () => {
      const after = await handle.stat({ bigint: true })
      if (after.size !== before.size || after.mtimeNs !== before.mtimeNs)
        throw failProject('VID_PROJECT_CHANGED', { path })
    }
    const mode = before.mode & 0o100n ? '0755' : '0644'
    return { handle, length: Number(before.size), mode, checkUnchanged }
  } catch (cause) {
    await handle.close()
    throw unreadable(path, cause)
  }
}
