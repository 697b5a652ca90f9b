import { relative } from 'node:path'

/** The path as a person would write it: relative when it lies below the current folder. */
export const shortPath = (path: string, cwd: string): string => {
  const short = relative(cwd, path)
  return short === '' || short.startsWith('..') ? path : short
}

/** A number of bytes for a person. */
export const bytesText = (bytes: number): string => {
  if (bytes < 1e3) return `${bytes} bytes`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
