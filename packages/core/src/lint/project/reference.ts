import { posix } from 'node:path'
import { decoded, fileOfReference, splitReference } from '../../source/project-files.ts'

/** Resolves a reference in `from` to a project file; null for a URL, a fragment or an empty text. */
export const fileOfUrl = (dir: string, from: string, url: string): string | null => {
  const trimmed = url.trim()
  if (/^\/(?!\/)/.test(trimmed)) return decoded(posix.normalize(trimmed.replace(/[?#].*$/, '').slice(1)))
  const reference = splitReference(trimmed)
  return reference && decoded(fileOfReference(dir, from, reference.path))
}
