/** What systems that do not tell upper from lower case, or composed from decomposed characters, take for one name. */
const sameName = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

/** Paths that are to lie in one folder, whatever system it is on. */
export interface PathSet {
  /** Adds a file and its folders; returns the path that it collides with, or null. */
  readonly addFile: (path: string) => string | null
  /** Files and folders that are in it. */
  readonly size: () => number
}

/** Makes an empty set of paths. */
export const createPathSet = (): PathSet => {
  const entries = new Map<string, { readonly path: string; readonly isFile: boolean }>()
  const add = (path: string, isFile: boolean): string | null => {
    const key = sameName(path)
    const other = entries.get(key)
    if (other === undefined) entries.set(key, { path, isFile })
    else if (isFile || other.isFile || other.path !== path) return other.path
    return null
  }
  return {
    addFile: (path) => {
      for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
        const other = add(path.slice(0, end), false)
        if (other !== null) return other
      }
      return add(path, true)
    },
    size: () => entries.size,
  }
}
