import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { isSystemFault, isVidError } from '@vid/protocol'
import { failProject, unreadable, unwritable } from '../errors.ts'
import { chunksOf } from '../file-chunks.ts'
import { FREE_BYTES, type ProjectLimits } from '../limits.ts'
import type { ZipEntry } from './zip-entries.ts'

/** Counts what comes out of a zip, and throws as soon as it is too much. */
export interface Allowance {
  readonly take: (entry: ZipEntry, bytes: number, bytesOfEntry: number) => void
}

/** Makes the count for one zip of `zipBytes` bytes. */
export const createAllowance = (zipBytes: number, limits: ProjectLimits): Allowance => {
  let total = 0
  return {
    take: ({ name, bytes: declared }, bytes, bytesOfEntry) => {
      total += bytes
      const fail = (reason: string) => failProject('VID_ZIP_DAMAGED', { entry: name, reason })
      if (bytesOfEntry > limits.fileBytes)
        throw failProject('VID_ZIP_FILE_BYTES', { entry: name, limit: limits.fileBytes })
      if (total > limits.bytes) throw failProject('VID_ZIP_BYTES', { limit: limits.bytes })
      if (total > Math.max(FREE_BYTES, zipBytes * limits.ratio))
        throw failProject('VID_ZIP_RATIO', { limit: limits.ratio })
      if (bytesOfEntry > declared) throw fail(`it has more than the ${declared} bytes that it says it has`)
    },
  }
}

/** An error of the zip's own bytes, or one of the machine. */
const entryError = (name: string, cause: unknown): unknown => {
  if (isVidError(cause)) return cause
  if (isSystemFault(cause)) return unreadable('the zip', cause)
  return failProject('VID_ZIP_DAMAGED', { entry: name, reason: (cause as Error).message }, { cause })
}

/** Unpacks one entry to a new file; returns its length and SHA-256 (hex). */
export const extractEntry = async (
  zip: FileHandle,
  entry: ZipEntry,
  file: string,
  allowance: Allowance,
  signal: AbortSignal | undefined,
): Promise<{ readonly length: number; readonly digest: string }> => {
  const failWrite = (cause: unknown) => {
    throw unwritable(file, cause)
  }
  // 'x' refuses everything that is there already, links too.
  const target = await open(file, 'wx', Number.parseInt(entry.mode, 8)).catch(failWrite)
  const hash = createHash('sha256')
  let length = 0
  let crc = 0
  const write = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      length += chunk.length
      allowance.take(entry, chunk.length, length)
      crc = crc32(chunk, crc)
      hash.update(chunk)
      await target.writeFile(chunk).catch(failWrite)
    }
  }
  const source = chunksOf(zip, entry.dataStart, entry.dataStart + entry.packedBytes)
  const options = signal ? { signal } : {}
  const inflate = entry.isDeflated ? createInflateRaw({ chunkSize: 64 * 1024 }) : undefined
  try {
    await (inflate ? pipeline(source, inflate, write, options) : pipeline(source, write, options))
    const reason =
      length !== entry.bytes
        ? `it has ${length} bytes, and says that it has ${entry.bytes}`
        : inflate && inflate.bytesWritten !== entry.packedBytes
          ? 'bytes follow its end'
          : crc !== entry.crc32
            ? 'its checksum is wrong'
            : null
    if (reason !== null) throw failProject('VID_ZIP_DAMAGED', { entry: entry.name, reason })
  } catch (cause) {
    signal?.throwIfAborted()
    throw entryError(entry.name, cause)
  } finally {
    await target.close().catch(failWrite)
  }
  return { length, digest: hash.digest('hex') }
}
