import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

const isHidden = (path: string, separator: string) =>
  path.split(separator).some((part) => part.startsWith('.'))

/** The real path of a source file; undefined when it is missing, hidden or outside the project. */
export const findSourceFile = async (projectDir: string, src: string): Promise<string | undefined> => {
  if (/[\\\0]/.test(src) || isHidden(src, '/')) return undefined
  const root = await realpath(projectDir)
  const file = await realpath(join(root, src)).catch(() => undefined)
  if (!file?.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
  if (isHidden(file.slice(root.length + 1), sep)) return undefined
  return (await stat(file)).isFile() ? file : undefined
}
