import { posix } from 'node:path'
import { decoded, fileOfReference, splitReference } from '../source/project-files.ts'

/** The project file that a reference in `from` means; null for an address, a fragment or an empty text. */
export const fileOfUrl = (dir: string, from: string, url: string): string | null => {
  const trimmed = url.trim()
  if (/^\/(?!\/)/.test(trimmed)) return decoded(posix.normalize(trimmed.replace(/[?#].*$/, '').slice(1)))
  const reference = splitReference(trimmed)
  return reference && decoded(fileOfReference(dir, from, reference.path))
}
