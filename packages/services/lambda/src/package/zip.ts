import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PackageFile } from './package-files.ts'

/** Zip times are local times: this is the same local time in every time zone. */
const fixedTime = () => new Date(1980, 0, 1, 12)

const isCompressed = (path: string): boolean => /\.(?:br|gz|png|woff2?|zip|wasm\.br)$/.test(path)

/** Writes a zip of files ordered by path; equal files give equal bytes. Returns its size and digest. */
export const writeZip = async (
  files: readonly PackageFile[],
  to: string,
  signal: AbortSignal,
): Promise<{ readonly sha256: string; readonly bytes: number }> => {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (cause: Error) => output.destroy(cause))
  for (const { path, from, bytes, isExecutable } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const options = {
      mtime: fixedTime(),
      forceDosTimestamp: true,
      mode: isExecutable ? 0o100755 : 0o100644,
      compress: !isCompressed(path),
    }
    if (typeof from === 'string')
      zip.addReadStreamLazy(path, { ...options, size: bytes }, (use) => {
        if (!output.destroyed)
          use(
            null,
            createReadStream(from).on('error', (cause) => output.destroy(cause)),
          )
      })
    else zip.addBuffer(Buffer.from(from.content), path, options)
  }
  zip.end()
  const hash = createHash('sha256')
  let length = 0
  await pipeline(
    output,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        length += chunk.length
        yield chunk
      }
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600 }),
    { signal },
  )
  return { sha256: hash.digest('hex'), bytes: length }
}
