import { lstat, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { describeCause, refusedPath, rethrowMachineFault } from '@vid/protocol'
import { makeFolder } from '@vid/system'
import { fail } from '../errors.ts'

/** Whether a real path is the root itself, or inside it and not in a hidden folder. */
const isInside = (root: string, path: string): boolean => {
  if (path === root) return true
  const base = root.endsWith(sep) ? root : root + sep
  return path.startsWith(base) && refusedPath(path.slice(base.length).split(sep).join('/')) === null
}

/** Fails early if no request could succeed: the root is missing, or a file is in place of a folder. */
export const checkRoots = async ({ root, outputRoot }: { readonly root: string; readonly outputRoot: string }) => {
  const check = (subject: string, folder: string, isNeeded: boolean) =>
    readdir(folder).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' && !isNeeded) return
      throw fail('VID_PRODUCER_ROOT', { what: subject, folder, reason: describeCause(cause) }, { cause })
    })
  await check('compositions', root, true)
  // The first request with an output path creates it.
  await check('outputs', outputRoot, false)
}

const isBelow = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`)

/**
 * Whether a path exposes, or lies in, the folder in which the server keeps uploads. A folder above it does not expose
 * it if the path to it is hidden, because nothing hidden is served.
 */
const reaches = async (path: string, serverFolder: string): Promise<boolean> => {
  const realServerFolder = await realpath(serverFolder)
  if (isBelow(path, realServerFolder)) return true
  return isBelow(realServerFolder, path) && refusedPath(relative(path, realServerFolder).split(sep).join('/')) === null
}

/** The absolute folders that paths in requests are checked against. */
interface PlaceRules {
  /** Folder that must contain every path in a request. */
  readonly root: string
  /** Folder for uploads, off limits to paths in requests. */
  readonly serverFolder: string
}

/** The real path of a requested folder, which must be inside the root. */
export const findProjectDir = async ({ root, serverFolder }: PlaceRules, requestedPath: string): Promise<string> => {
  const outside = fail('VID_PRODUCER_OUTSIDE', { field: 'projectDir', path: requestedPath })
  if (requestedPath.includes('\0')) throw outside
  const realRoot = await realpath(root)
  const path = resolve(realRoot, requestedPath)
  // Refused before it is looked up: a reply must not reveal what exists elsewhere.
  if (!isInside(realRoot, path) && !isInside(resolve(root), path)) throw outside
  const real = await realpath(path).catch(rethrowMachineFault)
  const facts = { field: 'projectDir', path: requestedPath, what: 'folder of the server' }
  if (real === undefined) throw fail('VID_PRODUCER_MISSING', facts)
  if (!isInside(realRoot, real) || (await reaches(real, serverFolder))) throw outside
  if (!(await lstat(real)).isDirectory()) throw fail('VID_PRODUCER_MISSING', facts)
  return real
}

/** The real path of a path's nearest existing ancestor, and the names below it. */
const realParent = async (path: string): Promise<string> => {
  const above = dirname(path)
  const real = await realpath(above).catch(rethrowMachineFault)
  if (real !== undefined || above === path) return real ?? above
  return join(await realParent(above), basename(above))
}

/** The absolute path of a requested output, which must be inside the folder for outputs. */
export const findOutputPath = async ({ root, serverFolder }: PlaceRules, requestedPath: string): Promise<string> => {
  const outside = fail('VID_PRODUCER_OUTSIDE', { field: 'outputPath', path: requestedPath })
  if (/\p{Cc}|[\\/]$/u.test(requestedPath)) throw outside
  await makeFolder(root)
  const realRoot = await realpath(root)
  const path = resolve(realRoot, requestedPath)
  if (!isInside(realRoot, path) && !isInside(resolve(root), path)) throw outside
  const real = join(await realParent(path), basename(path))
  if (real === realRoot || !isInside(realRoot, real) || (await reaches(real, serverFolder))) throw outside
  return real
}

/** The checked paths of an accepted request. */
export interface CheckedPaths {
  readonly projectDir: string | null
  readonly outputPath: string | null
}

/** Refuses paths that became links to other places while the request waited. */
export const checkPlaces = async (
  { projectDir, outputPath }: CheckedPaths,
  { root, outputRoot }: { readonly root: string; readonly outputRoot: string },
  serverFolder: string,
): Promise<void> => {
  if (projectDir !== null && (await findProjectDir({ root, serverFolder }, projectDir)) !== projectDir)
    throw fail('VID_PRODUCER_OUTSIDE', { field: 'projectDir', path: projectDir })
  if (outputPath !== null && (await findOutputPath({ root: outputRoot, serverFolder }, outputPath)) !== outputPath)
    throw fail('VID_PRODUCER_OUTSIDE', { field: 'outputPath', path: outputPath })
}
