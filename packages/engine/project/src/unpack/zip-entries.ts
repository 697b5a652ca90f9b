import { refusedPath } from '@vid/protocol'
import type { Entry, ZipFile } from 'yauzl'
import { failProject } from '../errors.ts'
import type { ProjectLimits } from '../limits.ts'
import { escapeProblem, isLeftover, nameProblem } from '../path-name.ts'
import { createPathSet } from '../path-set.ts'
import { entryName } from './entry-name.ts'

/** A file in a zip that is to be unpacked. */
export interface ZipEntry {
  /** Path in the zip. */
  readonly name: string
  readonly mode: '0644' | '0755'
  readonly isDeflated: boolean
  readonly crc32: number
  /** Bytes in the zip. */
  readonly packedBytes: number
  /** Bytes that it says it has when unpacked; more are refused. */
  readonly bytes: number
  /** Where its bytes begin in the zip, and where its header begins. */
  readonly dataStart: number
  readonly headerStart: number
}

const ENCRYPTED_FLAG = 0x1
const STORED = 0
const DEFLATED = 8

const FILE_TYPES = 0o170000
const KINDS: ReadonlyMap<number, string> = new Map([
  [0o010000, 'a pipe'],
  [0o020000, 'a device'],
  [0o040000, 'a folder by its mode and a file by its name'],
  [0o060000, 'a device'],
  [0o120000, 'a link'],
  [0o140000, 'a socket'],
])

const isHidden = (name: string) =>
  name
    .split('/')
    .some((segment) => isLeftover(segment) || (segment !== '' && segment !== '.' && refusedPath(segment) === 'hidden'))

/** The name of a file; null for what is left out: folders, hidden files and what systems leave behind. */
const fileName = (entry: Entry, depth: number): string | null => {
  const decoded = entryName(entry)
  const fail = (reason: string) =>
    failProject('VID_ZIP_NAME', { entry: decoded ?? entry.fileNameRaw.toString('latin1'), reason })
  if (decoded === undefined) throw fail('is not the UTF-8 that it says it is')
  const name = decoded.replace(/^(?:\.\/)+/, '')
  const leaving = escapeProblem(name)
  if (leaving !== null) throw fail(leaving)
  if (isHidden(name)) return null
  const isFolder = name === '' || name.endsWith('/')
  if (isFolder && entry.uncompressedSize > 0)
    throw failProject('VID_ZIP_DAMAGED', { entry: decoded, reason: 'it is a folder that holds bytes' })
  const path = isFolder ? name.slice(0, -1) : name
  if (isFolder && path === '') return null
  const problem = nameProblem(path)
  if (problem !== null) throw fail(problem)
  if (path.split('/').length > depth) throw failProject('VID_ZIP_DEPTH', { entry: decoded, limit: depth })
  return isFolder ? null : path
}

const checkKind = (name: string, entry: Entry): void => {
  const kind = KINDS.get((entry.externalFileAttributes >>> 16) & FILE_TYPES)
  if (kind !== undefined) throw failProject('VID_ZIP_KIND', { entry: name, kind })
  if (entry.generalPurposeBitFlag & ENCRYPTED_FLAG) throw failProject('VID_ZIP_ENCRYPTED', { entry: name })
  const method = entry.compressionMethod
  if (method !== STORED && method !== DEFLATED) throw failProject('VID_ZIP_METHOD', { entry: name, method })
}

/** Refuses entries whose bytes are partly the same: few bytes could be unpacked to very many files that way. */
const checkApart = (entries: readonly ZipEntry[], directoryStart: number): void => {
  const sorted = [...entries].sort((a, b) => a.headerStart - b.headerStart)
  sorted.forEach((entry, index) => {
    const end = entry.dataStart + entry.packedBytes
    const next = sorted[index + 1]
    if (next !== undefined && end > next.headerStart)
      throw failProject('VID_ZIP_OVERLAP', { entry: entry.name, other: next.name })
    if (end > directoryStart) throw failProject('VID_ZIP_OVERLAP', { entry: entry.name, other: 'the list of entries' })
  })
}

const UNIX_EXECUTABLE = 0o100

/** The files of a zip that are to be unpacked, once all that its list of entries says has been checked. */
export const readZipEntries = async (
  zip: ZipFile,
  limits: ProjectLimits,
  signal?: AbortSignal,
): Promise<readonly ZipEntry[]> => {
  // The library's types say boolean; it is where the next entry of the list begins.
  const directoryStart = Number(zip.readEntryCursor)
  if (zip.entryCount > limits.entries) throw failProject('VID_ZIP_ENTRIES', { limit: limits.entries })
  const paths = createPathSet()
  const entries: Omit<ZipEntry, 'dataStart'>[] = []
  let bytes = 0
  for await (const entry of zip.eachEntry()) {
    signal?.throwIfAborted()
    const name = fileName(entry, limits.depth)
    if (name === null) continue
    checkKind(name, entry)
    const other = paths.addFile(name)
    if (other !== null) throw failProject('VID_ZIP_COLLISION', { entry: name, other })
    if (paths.size() > limits.entries) throw failProject('VID_ZIP_ENTRIES', { limit: limits.entries })
    bytes += entry.uncompressedSize
    if (entry.uncompressedSize > limits.fileBytes)
      throw failProject('VID_ZIP_FILE_BYTES', { entry: name, limit: limits.fileBytes })
    if (bytes > limits.bytes) throw failProject('VID_ZIP_BYTES', { limit: limits.bytes })
    entries.push({
      name,
      mode: (entry.externalFileAttributes >>> 16) & UNIX_EXECUTABLE ? '0755' : '0644',
      isDeflated: entry.compressionMethod === DEFLATED,
      crc32: entry.crc32,
      packedBytes: entry.compressedSize,
      bytes: entry.uncompressedSize,
      headerStart: entry.relativeOffsetOfLocalHeader,
    })
  }
  const locatedEntries: ZipEntry[] = []
  for (const entry of entries) {
    signal?.throwIfAborted()
    locatedEntries.push({ ...entry, dataStart: await dataStartOf(zip, entry) })
  }
  checkApart(locatedEntries, directoryStart)
  return locatedEntries
}

/** Where the bytes of an entry begin, as its own header says. */
const dataStartOf = async (zip: ZipFile, entry: Omit<ZipEntry, 'dataStart'>): Promise<number> => {
  const place = { relativeOffsetOfLocalHeader: entry.headerStart, compressedSize: entry.packedBytes } as Entry
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(place, { minimal: true })
  return fileDataStart
}
