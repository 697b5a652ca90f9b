import { posix } from 'node:path'

/** Whether a project has a file, by its decoded path. */
export type HasFile = (file: string) => boolean

/** Where the files of a project are read. */
export interface ProjectFiles {
  /** The text of a file by its path in the project; null for one that is missing or not to be read. */
  readText(file: string): Promise<string | null>
  readonly has: HasFile
}

/** Splits a relative reference into path and query or fragment; null for a reference that is not a relative path. */
export const splitReference = (url: string): { path: string; rest: string } | null => {
  const trimmed = url.trim()
  if (trimmed === '' || /^([a-z][a-z0-9+.-]*:|\/|#|\?)/i.test(trimmed)) return null
  const cut = trimmed.search(/[?#]/)
  return cut < 0 ? { path: trimmed, rest: '' } : { path: trimmed.slice(0, cut), rest: trimmed.slice(cut) }
}

/** Decodes the percent escapes of a path; an invalid escape leaves it unchanged. */
export const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Resolves a relative reference: relative to the referring file, or else to the project folder if only that file exists. */
export const fileOfReference = (has: HasFile, from: string, path: string): string => {
  const beside = posix.join(posix.dirname(from), path)
  const isThere = (file: string) => !file.startsWith('..') && has(decoded(file))
  const fromRoot = posix.normalize(path)
  return !isThere(beside) && isThere(fromRoot) ? fromRoot : beside
}

/** Candidate files of a `data-composition-src`, in order: relative to the project folder, then to the referring file. */
export const nestedCandidates = (from: string, src: string): string[] => {
  const path = decoded(src.trim().replace(/[?#].*$/s, ''))
  if (path === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return []
  if (path.startsWith('/')) return [posix.normalize(path.slice(1))]
  const candidates = [posix.normalize(path), posix.join(posix.dirname(from), path)]
  return candidates.filter((file) => !file.startsWith('../'))
}
