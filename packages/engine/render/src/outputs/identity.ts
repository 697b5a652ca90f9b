import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** The path without links in the folders above it, also while some of them do not exist yet. */
export const withRealParents = async (path: string): Promise<string> => {
  const above = dirname(path)
  if (above === path) return path
  const real = await realpath(above).catch(() => withRealParents(above))
  return join(real, basename(path))
}

/** The same text for paths that are the same file, or would be on a disk that ignores case or Unicode forms. */
export const placeKey = async (path: string): Promise<string> =>
  (await withRealParents(path)).normalize('NFC').toLowerCase()

/** Whether two existing paths lead to one file: through links, other spellings or hard links. */
export const isSameFile = async (one: string, other: string): Promise<boolean> => {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}
