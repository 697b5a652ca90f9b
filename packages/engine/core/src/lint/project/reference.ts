import { posix } from 'node:path'
import { decoded, fileOfReference, type HasFile, splitReference } from '../../source/project-references.ts'

/** Resolves a reference in `from` to a project file; null for a URL, a fragment or an empty text. */
export const fileOfUrl = (has: HasFile, from: string, url: string): string | null => {
  const trimmed = url.trim()
  if (/^\/(?!\/)/.test(trimmed)) return decoded(posix.normalize(trimmed.replace(/[?#].*$/s, '').slice(1)))
  const reference = splitReference(trimmed)
  return reference && decoded(fileOfReference(has, from, reference.path))
}
