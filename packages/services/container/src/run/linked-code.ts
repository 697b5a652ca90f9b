import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type FoundPackage, followCode, type PackageUse } from '@vid/kernel'
import { rethrowMachineFault } from '@vid/protocol'
import { isWithin } from '@vid/system'
import { fail } from '../errors.ts'
import { foldersUpFrom, imageFolderIn } from './paths.ts'

/** Packages of fonts are found by the families that pages name, so no import leads to them. */
const FONT_SCOPES = ['@fontsource', '@fontsource-variable'] as const
const FONT_CARRIER = '@vid/fonts-popular'

const MODULES = `${sep}node_modules`

/** Names of files with code; data that a config reads from elsewhere is named in the option `mounts`. */
const CODE = /\.[mc]?[jt]sx?$/

/** A folder or file of the machine, links resolved, and its path inside. */
export interface LinkedPath {
  readonly source: string
  readonly destination: string
}

/** What is shown already, none of it within another, and for whom links are followed. */
export interface LinkSearch {
  readonly projectDir: string
  readonly config: string | undefined
  readonly shown: readonly LinkedPath[]
}

const fontsIn = async (from: string): Promise<readonly PackageUse[]> => {
  const carriers = FONT_SCOPES.map(async (scope) => {
    const names = await readdir(join(from, 'node_modules', scope)).catch(rethrowMachineFault)
    return (names ?? []).map((name) => ({ name: `${scope}/${name}`, from }))
  })
  return [{ name: FONT_CARRIER, from }, ...(await Promise.all(carriers)).flat()]
}

/** The font packages that a render of a project can find in the folders above it. */
const fontsAbove = async (projectDir: string): Promise<readonly PackageUse[]> =>
  (await Promise.all(foldersUpFrom(dirname(projectDir)).map(fontsIn))).flat()

/** What is shown of this machine, by the path inside. */
interface Shown {
  readonly list: LinkedPath[]
  /** The part that a path inside lies in. */
  partOf(path: string): LinkedPath | undefined
}

const createShown = (start: readonly LinkedPath[]): Shown => {
  const list = [...start]
  return { list, partOf: (path) => list.findLast(({ destination }) => isWithin(path, destination)) }
}

/** The first link of a path inside, below the part that is shown already, with its path on this machine. */
const firstLink = async (path: string, shown: Shown) => {
  const part = shown.partOf(path)
  const isBelow = (folder: string) => !part || (folder !== part.destination && isWithin(folder, part.destination))
  for (const inside of foldersUpFrom(path).filter(isBelow).toReversed()) {
    const hostPath = part ? join(part.source, relative(part.destination, inside)) : inside
    if ((await lstat(hostPath).catch(rethrowMachineFault))?.isSymbolicLink())
      return { inside, hostPath, isShown: part !== undefined }
  }
  return undefined
}

/** Makes a path of this machine mean the same inside; `whole` is the folder to show where its end is not shown yet. Resolves to where it leads inside. */
const reach = async (path: string, shown: Shown, whole?: string): Promise<string> => {
  let current = path
  for (let link = await firstLink(current, shown); link; link = await firstLink(current, shown)) {
    const { inside, hostPath, isShown } = link
    const real = await realpath(hostPath)
    const target = isShown ? resolve(dirname(inside), await readlink(hostPath)) : inside
    // From a folder that is shown under another path, a relative link leads elsewhere than here.
    const isSame = isShown && (await realpath(target).catch(rethrowMachineFault)) === real
    if (!isSame && !shown.partOf(target)) shown.list.push({ source: real, destination: target })
    current = target + current.slice(inside.length)
  }
  const rest = whole ?? current
  if (!shown.partOf(current)) shown.list.push({ source: rest, destination: rest })
  return current
}

/** The folder of packages that a path lies in; undefined for one that is in none. */
const modulesOf = (path: string): string | undefined => {
  const end = path.lastIndexOf(MODULES + sep)
  return end < 0 ? undefined : path.slice(0, end + MODULES.length)
}

/** The folder to show for a package: with all that are installed beside it, or its own. */
const folderOf = ({ name, folder }: FoundPackage): string => {
  const modules = modulesOf(folder)
  if (modules !== undefined) return modules
  const covers = imageFolderIn(folder) ?? (isWithin(homedir(), folder) ? 'your home folder' : undefined)
  if (covers === undefined) return folder
  throw fail('VID_CONTAINER_PACKAGE', { name, reason: `its folder ${folder} holds ${covers}` })
}

/**
 * Refuses a project of which a link leads to a font elsewhere. It is not followed: the project may be a stranger's, and is to
 * show nothing of the machine. Without the font, the picture would be another one.
 */
const checkOwnFonts = async (projectDir: string, { list }: Shown): Promise<void> => {
  for (const { name } of await fontsIn(projectDir)) {
    const real = await realpath(join(projectDir, 'node_modules', name)).catch(rethrowMachineFault)
    if (real === undefined || list.some(({ source }) => isWithin(real, source))) continue
    throw fail('VID_CONTAINER_PACKAGE', { name, reason: `a link of the project leads to it, in ${real}` })
  }
}

/** Refuses code that a module names by a path which leads elsewhere inside, or nowhere: only folders are shown, and no links. */
const checkPath = async (path: string, shown: Shown): Promise<void> => {
  const folder = dirname(path)
  const real = await realpath(folder)
  if (real === folder) return
  const source = shown.list.findLast((part) => isWithin(folder, part.source))
  let current = source ? join(source.destination, relative(source.source, folder)) : folder
  const refuse = (link: string) => fail('VID_CONTAINER_LINK', { path, link, real })
  for (let link = await firstLink(current, shown); link; link = await firstLink(current, shown)) {
    const { inside, hostPath, isShown } = link
    if (!isShown) throw refuse(hostPath)
    const target = resolve(dirname(inside), await readlink(hostPath)) + current.slice(inside.length)
    if (target === current) break
    current = target
  }
  if (current === real) return
  const part = shown.partOf(current)
  const hostPath = part && join(part.source, relative(part.destination, current))
  if (hostPath === undefined || (await realpath(hostPath).catch(rethrowMachineFault)) !== real) throw refuse(folder)
}

const manifestOf = async (file: string): Promise<string | undefined> => {
  for (const folder of foldersUpFrom(dirname(file))) {
    const manifest = join(folder, 'package.json')
    if (await lstat(manifest).catch(rethrowMachineFault)) return manifest
  }
  return undefined
}

/**
 * What the code of the config, and the fonts above the project, need besides what is shown: packages that links in
 * `node_modules` lead to, as in a workspace, and single files that are imported from elsewhere.
 */
export const linkedCode = async ({ projectDir, config, shown: start }: LinkSearch): Promise<readonly LinkedPath[]> => {
  const graph = followCode(config === undefined ? [] : [config], await fontsAbove(projectDir))
  const shown = createShown(start)
  const needed = [...graph.packages]
  // The list grows while it is read.
  for (const link of needed) {
    const modules = modulesOf(link.place)
    if (modules !== undefined) await reach(modules, shown)
    const isShown = shown.list.some(({ source }) => isWithin(link.folder, source))
    const inside = await reach(link.place, shown, isShown ? undefined : folderOf(link))
    if (inside === link.folder) continue
    // Inside, its imports are looked for from where it is shown.
    for (const name of link.dependencies) {
      const other = graph.find(name, inside)
      if (other && !needed.some(({ place }) => place === other.place)) needed.push(other)
    }
  }
  await checkOwnFonts(projectDir, shown)
  for (const file of graph.files) {
    const isShown = shown.list.some(({ source }) => isWithin(file, source))
    if (isShown || !CODE.test(file)) continue
    const manifest = await manifestOf(file)
    for (const codeFile of [file, ...(manifest === undefined ? [] : [manifest])]) await reach(codeFile, shown)
  }
  for (const path of graph.paths) await checkPath(path, shown)
  return shown.list
}
