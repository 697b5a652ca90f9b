import { createHash } from 'node:crypto'
import { failProject, unreadable } from './errors.ts'
import { chunksOf, openFile } from './file-chunks.ts'
import { projectLimits } from './limits.ts'
import { listProject, type ProjectFile, type ProjectOptions } from './listing.ts'

/** A file as the manifest of its project has it. */
export interface ManifestFile {
  /** Path in the project, with forward slashes. */
  readonly path: string
  /** `0755` for a file that its owner may execute. */
  readonly mode: '0644' | '0755'
  /** Bytes. */
  readonly length: number
  /** SHA-256 of its bytes, hex. */
  readonly digest: string
}

/** All that a project is made of, sorted by the code points of the paths. */
export interface ProjectManifest {
  readonly files: readonly ManifestFile[]
  /** SHA-256 (hex) of the manifest's canonical text: equal for equal projects on any machine. */
  readonly digest: string
}

/** Bytes of the files of a project. */
export const manifestBytes = ({ files }: Pick<ProjectManifest, 'files'>): number =>
  files.reduce((sum, { length }) => sum + length, 0)

const READ_AT_ONCE = 4

/** SHA-256 (hex) of the canonical text of sorted files; the README has its form. */
const manifestDigest = (files: readonly ManifestFile[]): string => {
  const hash = createHash('sha256').update('vid-project 1\n')
  for (const { mode, length, digest, path } of files) hash.update(`${mode} ${length} ${digest} ${path}\n`)
  return hash.digest('hex')
}

/** The manifest of files that are sorted already. */
export const manifestOf = (files: readonly ManifestFile[]): ProjectManifest => ({
  files,
  digest: manifestDigest(files),
})

const readFile = async (
  { path, file }: ProjectFile,
  admit: (path: string, bytes: number) => void,
  signal: AbortSignal,
): Promise<ManifestFile> => {
  const source = await openFile(file, path)
  try {
    admit(path, source.length)
    const hash = createHash('sha256')
    let length = 0
    for await (const chunk of chunksOf(source.handle, 0, source.length)) {
      signal.throwIfAborted()
      hash.update(chunk)
      length += chunk.length
    }
    await source.checkUnchanged()
    if (length !== source.length) throw failProject('VID_PROJECT_CHANGED', { path })
    return { path, mode: source.mode, length, digest: hash.digest('hex') }
  } catch (cause) {
    throw signal.aborted ? signal.reason : unreadable(path, cause)
  } finally {
    await source.handle.close()
  }
}

/** Reads the files of a project's folder, a few at a time, and describes them; a file that changes meanwhile is an error. */
export const readManifest = async (folder: string, options: ProjectOptions = {}): Promise<ProjectManifest> => {
  const limits = { ...projectLimits, ...options.limits }
  const entries = await listProject(folder, options)
  const files: ManifestFile[] = []
  const failure = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, failure.signal]) : failure.signal
  const queue = entries.entries()
  let bytes = 0
  const tooLarge = (subject: string, limit: number) =>
    failProject('VID_PROJECT_TOO_LARGE', { folder, what: subject, limit })

  const admit = (path: string, length: number) => {
    if (length > limits.fileBytes) throw tooLarge(`more bytes in ${path}`, limits.fileBytes)
    bytes += length
    if (bytes > limits.bytes) throw tooLarge('more bytes', limits.bytes)
  }
  const readNext = async () => {
    for (const [index, entry] of queue) {
      signal.throwIfAborted()
      files[index] = await readFile(entry, admit, signal)
    }
  }
  const readers = Array.from({ length: READ_AT_ONCE }, () => readNext().catch((cause: unknown) => failure.abort(cause)))
  await Promise.all(readers)
  signal.throwIfAborted()
  return manifestOf(files)
}
