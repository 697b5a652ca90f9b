/** Bytes that the file systems in use allow for one name. */
const MAX_NAME_BYTES = 255

/** Bytes of a path inside a project; systems allow 4096 with the folder that it lies in. */
const MAX_PATH_BYTES = 1024

/** Names that Windows takes for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\.[^/]*)?$/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** Files that systems leave in every folder, and that no composition uses. */
const LEFTOVERS: ReadonlySet<string> = new Set(['__MACOSX', '.DS_Store', 'Thumbs.db', 'Icon\r'])

/** Whether a system left a file or folder of this name, so that it is no part of any project. */
export const isLeftover = (name: string): boolean => LEFTOVERS.has(name)

/** Why a path leads, or could lead, out of the folder that it is relative to; null if it cannot. */
export const escapeProblem = (path: string): string | null => {
  if (path.includes('\\')) return 'has a backslash'
  if (path.startsWith('/')) return 'is absolute'
  if (/^[a-z]:/i.test(path)) return 'begins with a drive letter'
  if (path.includes('\0')) return 'has a NUL character'
  return path.split('/').includes('..') ? 'leads out of the folder' : null
}

const segmentProblem = (segment: string): string | null => {
  if (segment === '' || segment === '.') return 'has an empty part'
  if (Buffer.byteLength(segment) > MAX_NAME_BYTES) return `has a part of more than ${MAX_NAME_BYTES} bytes`
  if (/[. ]$/.test(segment)) return 'has a part that ends with a dot or a space'
  return DEVICE.test(segment) ? 'is a device on Windows' : null
}

/** Why a path with forward slashes cannot be a file's on every system; null if it can. */
export const nameProblem = (path: string): string | null => {
  const leaving = escapeProblem(path)
  if (leaving !== null) return leaving
  if (CONTROL.test(path)) return 'has a control character'
  if (Buffer.from(path).toString() !== path) return 'is not valid Unicode'
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `has more than ${MAX_PATH_BYTES} bytes`
  return path.split('/').reduce<string | null>((problem, segment) => problem ?? segmentProblem(segment), null)
}

/** Sorts by the code points of a path; the default order is that of UTF-16, which differs. */
export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))
