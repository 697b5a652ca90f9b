import { realpathSync, statSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { isHidden, refusedPath, rethrowMachineFault } from '@vid/protocol'

/** Why a path of a project is not read, for any caller. */
export type PathRefusal = 'malformed' | 'hidden' | 'outside' | 'missing'

/** Where pnpm keeps the packages that `node_modules` links to. */
const isPackageStore = (segment: string, index: number, segments: readonly string[]) =>
  segment === '.pnpm' && segments[index - 1] === 'node_modules'

/** Why a file is refused by its place; both paths are absolute, with their links resolved. */
const refusedPlace = (realRoot: string, real: string): 'hidden' | 'outside' | 'missing' | null => {
  const base = realRoot.endsWith(sep) ? realRoot : realRoot + sep
  if (real === realRoot) return 'missing'
  if (!real.startsWith(base)) return 'outside'
  const segments = real.slice(base.length).split(sep)
  return segments.some((segment, index) => isHidden(segment) && !isPackageStore(segment, index, segments))
    ? 'hidden'
    : null
}

/** The real path of a file of a project, or why it is refused; `realRoot` is the project with its links resolved. */
export const resolveProjectPath = async (
  realRoot: string,
  path: string,
): Promise<{ readonly file: string } | { readonly refusal: PathRefusal }> => {
  const problem = refusedPath(path)
  if (problem) return { refusal: problem }
  const file = await realpath(join(realRoot, path)).catch(rethrowMachineFault)
  const refusal = file === undefined ? 'missing' : refusedPlace(realRoot, file)
  return file === undefined || refusal ? { refusal: refusal ?? 'missing' } : { file }
}

/** The real path of a regular file by its path in the project; undefined when it is missing, hidden or outside. */
export const findProjectFile = async (projectDir: string, path: string): Promise<string | undefined> => {
  const resolved = await resolveProjectPath(await realpath(projectDir), path)
  if ('refusal' in resolved) return undefined
  const facts = await stat(resolved.file).catch(rethrowMachineFault)
  return facts?.isFile() ? resolved.file : undefined
}

/** Why a project file cannot be read; null for one that can be. */
export const projectPathRefusal = (realRoot: string, path: string): PathRefusal | null => {
  const problem = refusedPath(path)
  if (problem) return problem
  try {
    const real = realpathSync(join(realRoot, path))
    return refusedPlace(realRoot, real) ?? (statSync(real).isFile() ? null : 'missing')
  } catch (cause) {
    rethrowMachineFault(cause)
    return 'missing'
  }
}
