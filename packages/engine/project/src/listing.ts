import type { Dirent } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { resolveProjectPath } from '@vid/system'
import { type FileProblem, failProject, unreadable } from './errors.ts'
import { type IgnoreRules, isIgnored, projectRules, rulesInFolder } from './ignore-rules.ts'
import { type ProjectLimits, projectLimits } from './limits.ts'
import { byPath, nameProblem } from './path-name.ts'
import { createPathSet } from './path-set.ts'

/** A file of a project. */
export interface ProjectFile {
  /** Path in the project, with forward slashes. */
  readonly path: string
  /** Where it is: absolute, with its links followed. */
  readonly file: string
}

/** What reading or unpacking a project may take. */
export interface ProjectOptions {
  readonly signal?: AbortSignal
  /** Limits to have in place of `projectLimits`. */
  readonly limits?: Partial<ProjectLimits>
  /** More rules about what is left out, as in a `.vidignore` of the project's folder. */
  readonly rules?: readonly string[]
}

/** A folder on the way down: its path in the project (with a slash at its end, empty for the project) and its real ones. */
interface Place {
  readonly base: string
  readonly real: string
  /** Real paths of the folders that it was reached through, its own included. */
  readonly chain: readonly string[]
  readonly rules: IgnoreRules
}

type Kind = 'file' | 'folder' | 'special'

const kindOf = (facts: Pick<Dirent, 'isFile' | 'isDirectory'>): Kind =>
  facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'special'

const LINK_PROBLEMS = {
  outside: 'is a link that leaves the folder',
  hidden: 'is a link to a hidden file',
  missing: "is a link to nothing, or to the project's own folder",
  malformed: 'has a backslash',
} as const

/** The files that belong to the project in a folder, sorted by path; all that cannot be sent is reported at once. */
export const listProject = async (folder: string, options: ProjectOptions = {}): Promise<ProjectFile[]> => {
  const limits = { ...projectLimits, ...options.limits }
  const root = await projectFolder(folder)
  const files: ProjectFile[] = []
  const problems: FileProblem[] = []
  const paths = createPathSet()
  let entryCount = 0

  const count = () => {
    options.signal?.throwIfAborted()
    entryCount += 1
    if (entryCount > limits.entries) throw tooLarge(folder, 'more files and folders', limits.entries)
  }

  const addFile = (path: string, file: string) => {
    const other = paths.addFile(path)
    if (other !== null) problems.push({ path, problem: `is the same name as "${other}" on some systems` })
    files.push({ path, file })
  }

  const follow = async (path: string, place: Place): Promise<void> => {
    const resolved = await resolveProjectPath(root, path)
    if ('refusal' in resolved) {
      const isLeftOut = isIgnored(place.rules, path, false) || isIgnored(place.rules, path, true)
      if (!isLeftOut) problems.push({ path, problem: LINK_PROBLEMS[resolved.refusal] })
      return
    }
    const kind = kindOf(await stat(resolved.file))
    if (isIgnored(place.rules, path, kind === 'folder')) return
    if (kind === 'folder' && place.chain.includes(resolved.file))
      problems.push({ path, problem: 'is a link to a folder that it lies in' })
    else await add(path, kind, resolved.file, place)
  }

  const add = async (path: string, kind: Kind, real: string, place: Place): Promise<void> => {
    count()
    const problem = kind === 'special' ? 'is a device, a pipe or a socket' : nameProblem(path)
    if (problem !== null) problems.push({ path, problem })
    else if (kind === 'file') addFile(path, real)
    else await walk({ base: `${path}/`, real, chain: [...place.chain, real], rules: place.rules })
  }

  const enter = async (entry: Dirent<Buffer>, place: Place): Promise<void> => {
    const path = place.base + entry.name.toString()
    if (!Buffer.from(entry.name.toString()).equals(entry.name)) {
      problems.push({ path, problem: 'has a name that is not valid UTF-8' })
      return
    }
    const real = join(place.real, entry.name.toString())
    if (entry.isSymbolicLink()) await follow(path, place)
    else {
      // Some file systems do not say in a listing what an entry is.
      const kind = kindOf(entry.isFile() || entry.isDirectory() ? entry : await lstat(real))
      if (!isIgnored(place.rules, path, kind === 'folder')) await add(path, kind, real, place)
    }
  }

  const walk = async (place: Place): Promise<void> => {
    if (place.chain.length > limits.depth) throw tooLarge(folder, 'folders deeper inside each other', limits.depth)
    const rules = await rulesInFolder(place.rules, place.real, place.base)
    const entries = await readdir(place.real, { withFileTypes: true, encoding: 'buffer' })
    entries.sort((a, b) => Buffer.compare(a.name, b.name))
    for (const entry of entries) await enter(entry, { ...place, rules })
  }

  await walk({ base: '', real: root, chain: [root], rules: projectRules(options.rules) }).catch((cause: unknown) => {
    throw options.signal?.aborted ? cause : unreadable(folder, cause)
  })
  if (problems.length > 0) throw failProject('VID_PROJECT_FILES_UNFIT', { folder, problems })
  return files.sort(byPath)
}

const tooLarge = (folder: string, subject: string, limit: number) =>
  failProject('VID_PROJECT_TOO_LARGE', { folder, what: subject, limit })

/** A project's folder with its links followed. */
export const projectFolder = async (folder: string): Promise<string> => {
  try {
    const real = await realpath(folder)
    if ((await stat(real)).isDirectory()) return real
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw unreadable(folder, cause)
  }
  throw failProject('VID_PROJECT_FOLDER_MISSING', { folder })
}
