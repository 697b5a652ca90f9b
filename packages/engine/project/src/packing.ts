import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { resolveProjectPath } from '@vid/system'
import { failProject, unreadable, unwritable } from './errors.ts'
import { chunksOf, openFile } from './file-chunks.ts'
import { projectFolder } from './listing.ts'
import type { ManifestFile, ProjectManifest } from './manifest.ts'
import { ZIP_MARK } from './zip-mark.ts'

/** Endings of files that are compressed already. */
const COMPRESSED: ReadonlySet<string> = new Set([
  '.png',
  '.jpg',
  '.jpeg',
  '.gif',
  '.webp',
  '.avif',
  '.heic',
  '.jxl',
  '.mp4',
  '.m4v',
  '.mov',
  '.webm',
  '.mkv',
  '.mp3',
  '.m4a',
  '.aac',
  '.ogg',
  '.oga',
  '.opus',
  '.flac',
  '.woff',
  '.woff2',
  '.zip',
  '.gz',
  '.br',
  '.zst',
  '.7z',
  '.lottie',
])

/** The same local time in every time zone: a zip's times are local ones. */
const fixedTime = () => new Date(1980, 0, 1, 12)

/** The bytes of a file; fails when they are not those of the manifest. */
async function* bytesOf(root: string, { path, length, digest }: ManifestFile): AsyncGenerator<Buffer> {
  const resolved = await resolveProjectPath(root, path)
  if ('refusal' in resolved) throw failProject('VID_PROJECT_CHANGED', { path })
  const { handle, length: lengthNow } = await openFile(resolved.file, path)
  try {
    if (lengthNow !== length) throw failProject('VID_PROJECT_CHANGED', { path })
    const hash = createHash('sha256')
    for await (const chunk of chunksOf(handle, 0, length)) {
      hash.update(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== digest) throw failProject('VID_PROJECT_CHANGED', { path })
  } finally {
    await handle.close()
  }
}

/**
 * A zip of exactly the files of a manifest, read from the project's folder as the stream is read. The stream fails when
 * a file is no longer that of the manifest, and when the signal aborts.
 */
export const packProject = async (
  folder: string,
  manifest: ProjectManifest,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Readable> => {
  const { signal } = options
  const root = await projectFolder(folder)
  const { ZipFile } = await import('yazl')
  signal?.throwIfAborted()
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let current: Readable | undefined
  const abort = () => output.destroy(signal?.reason as Error)
  signal?.addEventListener('abort', abort, { once: true })
  output.once('close', () => {
    signal?.removeEventListener('abort', abort)
    current?.destroy()
  })
  zip.on('error', (cause: Error) => output.destroy(cause))

  for (const file of manifest.files) {
    const settings = {
      mtime: fixedTime(),
      forceDosTimestamp: true,
      mode: 0o100000 | Number.parseInt(file.mode, 8),
      size: file.length,
      compress: !COMPRESSED.has(extname(file.path).toLowerCase()),
    }
    zip.addReadStreamLazy(file.path, settings, (use) => {
      if (output.destroyed) return
      current = Readable.from(bytesOf(root, file), { objectMode: false })
      current.once('error', (cause) => output.destroy(unreadable(file.path, cause) as Error))
      use(null, current)
    })
  }
  zip.end({ comment: ZIP_MARK, forceZip64Format: false })
  return output
}

/** Writes the zip of a project to a new file; returns its length and SHA-256 (hex). Nothing is left when it fails. */
export const writeProjectZip = async (
  folder: string,
  manifest: ProjectManifest,
  file: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<{ readonly bytes: number; readonly digest: string }> => {
  const hash = createHash('sha256')
  let bytes = 0
  const target = await open(file, 'wx', 0o600).catch((cause: unknown) => {
    throw unwritable(file, cause)
  })
  try {
    for await (const chunk of await packProject(folder, manifest, options)) {
      hash.update(chunk)
      bytes += chunk.length
      await target.writeFile(chunk)
    }
    await target.close()
  } catch (cause) {
    await target.close()
    await rm(file, { force: true })
    options.signal?.throwIfAborted()
    throw unwritable(file, cause)
  }
  return { bytes, digest: hash.digest('hex') }
}
