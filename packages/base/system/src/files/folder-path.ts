import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path is a folder or lies in it; both are absolute. Links are not followed. */
export const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
