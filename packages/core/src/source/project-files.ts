import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isAbsolute, join, posix, relative, sep } from 'node:path'
import { findProjectFile, rethrowMachineFault } from '@vid/kernel'

/** Whether a path is inside a folder; both are absolute. */
export const isInside = (dir: string, path: string): boolean => {
  const steps = relative(dir, path)
  return steps !== '' && steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** Reads a file of a project; null when it is missing, not readable, hidden, or outside the project. */
export const readInside = async (
  dir: string,
  file: string,
  signal: AbortSignal | undefined,
): Promise<string | null> => {
  signal?.throwIfAborted()
  const path = await findProjectFile(dir, file)
  if (path === undefined) return null
  const bytes = await readFile(path, signal === undefined ? {} : { signal }).catch(rethrowMachineFault)
  signal?.throwIfAborted()
  return bytes === undefined ? null : new TextDecoder().decode(bytes)
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
export const fileOfReference = (dir: string, from: string, path: string): string => {
  const beside = posix.join(posix.dirname(from), path)
  const isThere = (file: string) => !file.startsWith('..') && existsSync(join(dir, decoded(file)))
  const fromRoot = posix.normalize(path)
  return !isThere(beside) && isThere(fromRoot) ? fromRoot : beside
}

/** Candidate files of a `data-composition-src`, in order: relative to the project folder, then to the referring file. */
export const nestedCandidates = (from: string, src: string): string[] => {
  const path = decoded(src.trim().replace(/[?#].*$/, ''))
  if (path === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return []
  if (path.startsWith('/')) return [posix.normalize(path.slice(1))]
  const candidates = [posix.normalize(path), posix.join(posix.dirname(from), path)]
  return candidates.filter((file) => !file.startsWith('../'))
}
