import { createHash } from 'node:crypto'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import { type ManifestFile, manifestOf, writeProjectZip } from '@vid/project'
import { fileMark } from '@vid/server'

const types: Readonly<Record<string, string>> = {
  '.gif': 'image/gif',
  '.mov': 'video/quicktime',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.zip': 'application/zip',
}

/** MIME type of a file, by its extension. */
export const typeOf = (name: string): string => types[extname(name).toLowerCase()] ?? 'application/octet-stream'

/** Returns the length and the SHA-256 of a file, and the mark by which `sendFile` recognizes it. */
export const measureFile = async (path: string, signal: AbortSignal) => {
  const hash = createHash('sha256')
  let bytes = 0
  const handle = await open(path)
  const mark = fileMark(await handle.stat())
  // The stream closes the file.
  const stream = handle.createReadStream({ signal })
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, digest: hash.digest('hex'), mark }
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path)).isDirectory()

/** Whether results need a zip to be downloaded as one file. */
export const needsZip = async (paths: readonly string[]): Promise<boolean> =>
  paths.length !== 1 || (await isFolder(paths[0] as string))

/** Paths of results in their zip, `.` for the images of a single folder; empty if no zip is needed. */
export const pathsInZip = async (paths: readonly string[]): Promise<string[]> => {
  if (!(await needsZip(paths))) return []
  if (paths.length === 1) return ['.']
  const root = dirname(paths[0] as string)
  return paths.map((path) => relative(root, path).split(sep).join('/'))
}

/** Every file at a path, which may be a folder. */
const filesAt = async (path: string): Promise<string[]> => {
  if (!(await isFolder(path))) return [path]
  const names = (await readdir(path)).sort()
  return (await Promise.all(names.map((name) => filesAt(join(path, name))))).flat()
}

/** Zips results: the images of a single folder, or several files and folders. */
export const zipResults = async (
  paths: readonly string[],
  zip: string,
  signal: AbortSignal,
): Promise<{ readonly bytes: number; readonly digest: string }> => {
  const [first = ''] = paths
  const root = paths.length === 1 ? first : dirname(first)
  const files: ManifestFile[] = []
  for (const path of (await Promise.all(paths.map(filesAt))).flat().sort()) {
    const { bytes, digest } = await measureFile(path, signal)
    files.push({ path: relative(root, path).split(sep).join('/'), mode: '0644', length: bytes, digest })
  }
  return writeProjectZip(root, manifestOf(files), zip, { signal })
}

/** Download name of a result: the name of its file, with the extension of its format. */
export const nameFor = (path: string, format: string): string => {
  const name = basename(path)
  return extname(name) === '' && /^[a-z0-9]{1,10}$/.test(format) ? `${name}.${format}` : name
}
