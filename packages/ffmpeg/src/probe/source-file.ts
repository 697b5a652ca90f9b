import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

const isHidden = (path: string, separator: string) =>
  path.split(separator).some((part) => part.startsWith('.'))

/** Files that stand for addresses, in this process: what reads a plan later finds what was fetched for it. */
const fetched = new Map<string, string>()

/** Whether a source is an address rather than a path in the project. */
export const isRemoteSource = (src: string): boolean => /^https?:/i.test(src)

/** Lets a fetched file stand for the address that it came from. */
export const keepFetchedSource = (url: string, file: string): void => void fetched.set(url, file)

/** The real path of a source file; undefined when it is missing, hidden, outside the project or was not fetched. */
export const findSourceFile = async (projectDir: string, src: string): Promise<string | undefined> => {
  if (isRemoteSource(src)) return fetched.get(src)
  if (/[\\\0]/.test(src) || isHidden(src, '/')) return undefined
  const root = await realpath(projectDir)
  const file = await realpath(join(root, src)).catch(() => undefined)
  if (!file?.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
  if (isHidden(file.slice(root.length + 1), sep)) return undefined
  return (await stat(file)).isFile() ? file : undefined
}
