import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

const isHidden = (path: string, separator: string) =>
  path.split(separator).some((part) => part.startsWith('.'))

/** The real path of a file by its path in the project; undefined when it is missing, hidden or outside the project. */
export const findProjectFile = async (projectDir: string, path: string): Promise<string | undefined> => {
  if (/[\\\0]/.test(path) || isHidden(path, '/')) return undefined
  const root = await realpath(projectDir)
  const file = await realpath(join(root, path)).catch(() => undefined)
  if (!file?.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
  if (isHidden(file.slice(root.length + 1), sep)) return undefined
  return (await stat(file)).isFile() ? file : undefined
}
