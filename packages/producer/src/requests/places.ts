import { lstat, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { describeCause, refusedPath, rethrowMachineFault } from '@vid/kernel'
import { makeFolder } from '@vid/system'
import { fail } from '../errors.ts'

/** Whether a real path is the root itself, or inside it and not in a hidden folder. */
const isInside = (root: string, path: string): boolean => {
  if (path === root) return true
  const base = root.endsWith(sep) ? root : root + sep
  return path.startsWith(base) && refusedPath(path.slice(base.length).split(sep).join('/')) === null
}

/** Refuses to start where no request could be answered: without a root, or with a file in place of a folder. */
export const checkRoots = async ({ root, outputRoot }: { readonly root: string; readonly outputRoot: string }) => {
  const check = (subject: string, folder: string, isNeeded: boolean) =>
    readdir(folder).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' && !isNeeded) return
      throw fail('VID_PRODUCER_ROOT', { what: subject, folder, reason: describeCause(cause) }, { cause })
    })
  await check('compositions', root, true)
  // The first request that names an output makes it.
  await check('outputs', outputRoot, false)
}

const isBelow = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`)

/**
 * Whether a path would show, or lead into, the folder in which the server keeps what clients have sent. A folder above
 * it is no such path where the server's is hidden in it: nothing hidden is served.
 */
const reaches = async (path: string, serverFolder: string): Promise<boolean> => {
  const realServerFolder = await realpath(serverFolder)
  if (isBelow(path, realServerFolder)) return true
  return isBelow(realServerFolder, path) && refusedPath(relative(path, realServerFolder).split(sep).join('/')) === null
}

/** The folders that paths of requests are checked against, all absolute. */
export interface PlaceRules {
  /** Folder in which everything must be that a request names. */
  readonly root: string
  /** Folder of the server for what clients have sent, which no request may name. */
  readonly serverFolder: string
}

/** The real path of a folder that a request names, which must be inside the root. */
export const findProjectDir = async ({ root, serverFolder }: PlaceRules, requestedPath: string): Promise<string> => {
  const outside = fail('VID_PRODUCER_OUTSIDE', { field: 'projectDir', path: requestedPath })
  if (requestedPath.includes('\0')) throw outside
  const realRoot = await realpath(root)
  const path = resolve(realRoot, requestedPath)
  // Refused before it is looked for: a reply must not tell what exists elsewhere.
  if (!isInside(realRoot, path) && !isInside(resolve(root), path)) throw outside
  const real = await realpath(path).catch(rethrowMachineFault)
  const facts = { field: 'projectDir', path: requestedPath, what: 'folder of the server' }
  if (real === undefined) throw fail('VID_PRODUCER_MISSING', facts)
  if (!isInside(realRoot, real) || (await reaches(real, serverFolder))) throw outside
  if (!(await lstat(real)).isDirectory()) throw fail('VID_PRODUCER_MISSING', facts)
  return real
}

/** The real path of the nearest folder above a path that exists, and the names below it. */
const realParent = async (path: string): Promise<string> => {
  const above = dirname(path)
  const real = await realpath(above).catch(rethrowMachineFault)
  if (real !== undefined || above === path) return real ?? above
  return join(await realParent(above), basename(above))
}

/** The absolute path that a request names for its result, which must be inside the folder for outputs. */
export const findOutputPath = async ({ root, serverFolder }: PlaceRules, requestedPath: string): Promise<string> => {
  const outside = fail('VID_PRODUCER_OUTSIDE', { field: 'outputPath', path: requestedPath })
  if (requestedPath.includes('\0')) throw outside
  await makeFolder(root)
  const realRoot = await realpath(root)
  const path = resolve(realRoot, requestedPath)
  if (!isInside(realRoot, path) && !isInside(resolve(root), path)) throw outside
  const real = join(await realParent(path), basename(path))
  if (real === realRoot || !isInside(realRoot, real) || (await reaches(real, serverFolder))) throw outside
  return real
}

/** The paths of a request that were found when it was accepted. */
export interface FoundPlaces {
  readonly projectDir: string | null
  readonly outputPath: string | null
}

/** Refuses places that have become links to others while the request waited. */
export const checkPlaces = async (
  { projectDir, outputPath }: FoundPlaces,
  { root, outputRoot }: { readonly root: string; readonly outputRoot: string },
  serverFolder: string,
): Promise<void> => {
  if (projectDir !== null && (await findProjectDir({ root, serverFolder }, projectDir)) !== projectDir)
    throw fail('VID_PRODUCER_OUTSIDE', { field: 'projectDir', path: projectDir })
  if (outputPath !== null && (await findOutputPath({ root: outputRoot, serverFolder }, outputPath)) !== outputPath)
    throw fail('VID_PRODUCER_OUTSIDE', { field: 'outputPath', path: outputPath })
}
