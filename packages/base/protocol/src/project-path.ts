/** Whether a part of a path names something that belongs to tools and is never read. */
export const isHidden = (segment: string): boolean => segment.startsWith('.')

/** Why a decoded path with forward slashes, relative to the project, is refused by its text alone; null if it is not. */
export const refusedPath = (path: string): 'malformed' | 'hidden' | null => {
  // A backslash separates folders on some machines only.
  if (/[\\\0]/.test(path)) return 'malformed'
  return path.split('/').some(isHidden) ? 'hidden' : null
}
