import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isSystemFault, isVidError } from '@vid/protocol'
import { makeScratchFolder, removeAbandoned } from '@vid/system'
import { failProject, unreadable, unwritable } from '../errors.ts'
import { type ProjectLimits, projectLimits } from '../limits.ts'
import type { ProjectOptions } from '../listing.ts'
import { type ManifestFile, manifestOf, type ProjectManifest } from '../manifest.ts'
import { byPath } from '../path-name.ts'
import { ZIP_MARK } from '../zip-mark.ts'
import { createAllowance, extractEntry } from './extraction.ts'
import type { ZipEntry } from './zip-entries.ts'

/** Begins the names of folders that are being unpacked. */
const PREFIX = '.vid-unpack-'

/** What to leave out of every path: people zip a folder rather than what is in it. */
const outerFolder = (entries: readonly ZipEntry[]): string => {
  const [first] = entries
  const end = first === undefined ? -1 : first.name.indexOf('/')
  const outer = first?.name.slice(0, end + 1) ?? ''
  return entries.every(({ name }) => name.startsWith(outer)) ? outer : ''
}

const readZip = async (handle: FileHandle, bytes: number, limits: ProjectLimits, signal?: AbortSignal) => {
  try {
    const [{ openZip }, { readZipEntries }] = await Promise.all([import('./zip-reader.ts'), import('./zip-entries.ts')])
    const zip = await openZip(handle, bytes)
    const entries = await readZipEntries(zip, limits, signal)
    const isOurs = String(zip.comment) === ZIP_MARK
    return { entries, outer: isOurs ? '' : outerFolder(entries) }
  } catch (cause) {
    signal?.throwIfAborted()
    if (isVidError(cause)) throw cause
    if (isSystemFault(cause)) throw unreadable('the zip', cause)
    throw failProject('VID_ZIP_INVALID', { reason: (cause as Error).message }, { cause })
  }
}

/** Unpacks entries into an empty folder of our own; returns them as a manifest has them. */
const extractAll = async (
  zip: FileHandle,
  archive: { readonly entries: readonly ZipEntry[]; readonly outer: string },
  folder: string,
  zipBytes: number,
  limits: ProjectLimits,
  signal?: AbortSignal,
): Promise<ManifestFile[]> => {
  const allowance = createAllowance(zipBytes, limits)
  const folders = new Set<string>(['.'])
  const makeFolders = async (path: string): Promise<void> => {
    if (folders.has(path)) return
    await makeFolders(dirname(path))
    await mkdir(join(folder, path)).catch((cause: unknown) => {
      throw unwritable(join(folder, path), cause)
    })
    folders.add(path)
  }
  const files: ManifestFile[] = []
  for (const entry of archive.entries) {
    signal?.throwIfAborted()
    const path = entry.name.slice(archive.outer.length)
    await makeFolders(dirname(path))
    const { length, digest } = await extractEntry(zip, entry, join(folder, path), allowance, signal)
    files.push({ path, mode: entry.mode, length, digest })
  }
  return files
}

/**
 * Unpacks a zip, a stranger's too, to a folder that does not exist yet; returns the manifest of what was written. The
 * folder exists only once it is whole; nothing is left when it fails or the signal aborts.
 */
export const unpackProject = async (
  zipFile: string,
  folder: string,
  options: ProjectOptions = {},
): Promise<ProjectManifest> => {
  const { signal } = options
  const limits = { ...projectLimits, ...options.limits }
  const place = resolve(folder)
  signal?.throwIfAborted()
  await checkFree(place)
  const zip = await open(zipFile, 'r').catch((cause: unknown) => {
    throw unreadable(zipFile, cause)
  })
  try {
    const facts = await zip.stat()
    if (!facts.isFile()) throw unreadable(zipFile, new Error('it is not a file'))
    const { size } = facts
    const archive = await readZip(zip, size, limits, signal)
    await removeAbandoned(dirname(place), PREFIX)
    const work = await makeScratchFolder(dirname(place), PREFIX).catch((cause: unknown) => {
      throw unwritable(dirname(place), cause)
    })
    try {
      const files = await extractAll(zip, archive, work, size, limits, signal)
      await checkFree(place)
      signal?.throwIfAborted()
      await rename(work, place).catch((cause: unknown) => {
        throw unwritable(place, cause)
      })
      return manifestOf(files.sort(byPath))
    } catch (cause) {
      await rm(work, { recursive: true, force: true })
      throw cause
    }
  } finally {
    await zip.close()
  }
}

/** Throws when there is something at a place, a link to nothing too. */
const checkFree = async (place: string): Promise<void> => {
  const stats = await lstat(place).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw unwritable(place, cause)
  })
  if (stats) throw failProject('VID_PROJECT_PLACE_TAKEN', { folder: place })
}
