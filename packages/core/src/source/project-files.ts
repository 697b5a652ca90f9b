import { existsSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { isAbsolute, join, posix, relative, sep } from 'node:path'

/** Whether a path lies below a folder; both absolute. */
export const isInside = (dir: string, path: string): boolean => {
  const steps = relative(dir, path)
  return steps !== '' && steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** The text of a project's file, or null when it is not there, not readable or outside once links are resolved. */
export const readInside = async (
  dir: string,
  file: string,
  signal: AbortSignal | undefined,
): Promise<string | null> => {
  signal?.throwIfAborted()
  const path = await realpath(join(dir, file)).catch(() => null)
  if (path === null || !isInside(dir, path)) return null
  const bytes = await readFile(path, signal === undefined ? {} : { signal }).catch(() => null)
  signal?.throwIfAborted()
  return bytes === null ? null : new TextDecoder().decode(bytes)
}

/** A reference in a file, split at its query; null for one that is not a path relative to that file. */
export const splitReference = (url: string): { path: string; rest: string } | null => {
  const trimmed = url.trim()
  if (trimmed === '' || /^([a-z][a-z0-9+.-]*:|\/|#|\?)/i.test(trimmed)) return null
  const cut = trimmed.search(/[?#]/)
  return cut < 0 ? { path: trimmed, rest: '' } : { path: trimmed.slice(0, cut), rest: trimmed.slice(cut) }
}

/** A path without its percent escapes, as files are named. */
export const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The project's file that a relative reference means: beside the referring file, else from the project's folder. */
export const fileOfReference = (dir: string, from: string, path: string): string => {
  const beside = posix.join(posix.dirname(from), path)
  const isThere = (file: string) => !file.startsWith('..') && existsSync(join(dir, decoded(file)))
  const fromRoot = posix.normalize(path)
  return !isThere(beside) && isThere(fromRoot) ? fromRoot : beside
}

/** The files that `data-composition-src` may mean, in order of preference: from the project's folder, then beside the referring file. */
export const nestedCandidates = (from: string, src: string): string[] => {
  const path = decoded(src.trim().replace(/[?#].*$/, ''))
  if (path === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return []
  if (path.startsWith('/')) return [posix.normalize(path.slice(1))]
  const candidates = [posix.normalize(path), posix.join(posix.dirname(from), path)]
  return candidates.filter((file) => !file.startsWith('../'))
}
