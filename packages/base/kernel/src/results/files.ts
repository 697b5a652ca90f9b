import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** One file of a result. */
export interface ArtifactFile {
  /** Absolute path. */
  readonly path: string
  /** Path inside a folder of images, with slashes; empty for a result that is one file. */
  readonly name: string
  readonly bytes: number
}

/** The files of a result sorted by name: one, or those of a folder. */
export const artifactFiles = async (path: string): Promise<ArtifactFile[]> => {
  const { size } = await stat(path)
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== 'ENOTDIR') throw thrown
      return undefined
    },
  )
  if (!entries) return [{ path, name: '', bytes: size }]
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const files = paths.map(async (file) => ({
    path: file,
    name: relative(path, file).replaceAll(sep, '/'),
    bytes: (await stat(file)).size,
  }))
  return (await Promise.all(files)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** SHA-256 (hex) over the names and bytes of a result's files. */
export const artifactDigest = async (path: string, signal?: AbortSignal): Promise<string> => {
  const hash = createHash('sha256')
  for (const file of await artifactFiles(path)) {
    hash.update(`${file.name}\n${file.bytes}\n`)
    await pipeline(
      createReadStream(file.path),
      async (source: AsyncIterable<Buffer>) => {
        for await (const chunk of source) hash.update(chunk)
      },
      { ...(signal && { signal }) },
    )
  }
  return hash.digest('hex')
}
