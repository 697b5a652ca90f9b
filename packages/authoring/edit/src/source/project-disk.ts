import { readFile } from 'node:fs/promises'
import { sep } from 'node:path'
import { isVidError } from '@vid/protocol'
import { findProjectFile, type PathRefusal, resolveProjectPath } from '@vid/system'
import { fail } from '../errors.ts'
import { readSourceText, type SourceText } from './source-text.ts'

const REASONS: Readonly<Record<PathRefusal, string>> = {
  malformed: 'is malformed',
  hidden: 'is hidden',
  outside: 'is outside of the project',
  missing: 'does not exist, or is no regular file',
}

/** The real path of a regular file of the project; VID_EDIT_PATH for any other path. */
export const projectFile = async (dir: string, file: string): Promise<string> => {
  const resolved = await resolveProjectPath(dir, file)
  const refusal = 'refusal' in resolved ? resolved.refusal : undefined
  if (!('file' in resolved) || (await findProjectFile(dir, file)) === undefined)
    throw fail('VID_EDIT_PATH', { path: file, reason: REASONS[refusal ?? 'missing'] })
  return resolved.file
}

/** The real path of a project file that may be written; VID_EDIT_PATH where it may not. */
export const writablePath = async (dir: string, file: string): Promise<string> => {
  const path = await projectFile(dir, file)
  if (path.slice(dir.length).split(sep).includes('node_modules'))
    throw fail('VID_EDIT_PATH', { path: file, reason: 'belongs to an installed package' })
  return path
}

/** Why a project file cannot be written, in words; null where it can be. */
export const writablePathProblem = (dir: string, file: string): Promise<string | null> =>
  writablePath(dir, file).then(
    () => null,
    (thrown: unknown) => {
      if (isVidError(thrown)) return thrown.message
      throw thrown
    },
  )

/** Reads the files of one project, each once until they are forgotten. */
export interface ProjectDisk {
  /** The project, with its links resolved. */
  readonly dir: string
  /** A text file; null where there is none. */
  read(file: string, signal?: AbortSignal): Promise<SourceText | null>
  /** What was read before. */
  known(file: string): SourceText | null
  forget(): void
}

/** Opens a project folder, given with its links resolved. */
export const openProjectDisk = (dir: string): ProjectDisk => {
  let texts = new Map<string, SourceText | null>()
  return {
    dir,
    known: (file) => texts.get(file) ?? null,
    forget: () => {
      texts = new Map()
    },
    async read(file, signal) {
      signal?.throwIfAborted()
      const before = texts.get(file)
      if (before !== undefined) return before
      const text = await readText(dir, file, signal)
      texts.set(file, text)
      return text
    },
  }
}

/** Reads a text file of a project; null where there is none that may be read. */
const readText = async (dir: string, file: string, signal?: AbortSignal): Promise<SourceText | null> => {
  const path = await findProjectFile(dir, file)
  if (path === undefined) return null
  return readSourceText(file, await readFile(path, signal ? { signal } : {}))
}
