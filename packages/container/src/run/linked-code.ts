import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { type FoundPackage, followCode, type PackageUse, rethrowMachineFault } from '@vid/kernel'
import { fail } from '../errors.ts'
import { foldersUpFrom, imageFolderIn, isWithin } from './paths.ts'

/** Packages of fonts are found by the families that pages name, so no import leads to them. */
const FONT_SCOPES = ['@fontsource', '@fontsource-variable'] as const
const FONT_CARRIER = '@vid/fonts-popular'

const MODULES = `${sep}node_modules`

/** Names of files with code; data that a config reads from elsewhere is named in the option `mounts`. */
const CODE = /\.[mc]?[jt]sx?$/

/** A part of the machine that is seen under another path where a link names that. */
interface LinkedPath {
  readonly source: string
  readonly destination: string
}

/** What is seen already, and for whom links are followed. */
export interface LinkSearch {
  readonly projectDir: string
  readonly config: string | undefined
  readonly seen: readonly string[]
}

/** The font packages that a render of a project can find. */
const fontUses = async (projectDir: string): Promise<readonly PackageUse[]> => {
  const folders = foldersUpFrom(projectDir).flatMap((from) => FONT_SCOPES.map((scope) => ({ from, scope })))
  const uses = folders.map(async ({ from, scope }) => {
    const names = await readdir(join(from, 'node_modules', scope)).catch(rethrowMachineFault)
    return (names ?? []).map((name) => ({ name: `${scope}/${name}`, from }))
  })
  return [{ name: FONT_CARRIER, from: projectDir }, ...(await Promise.all(uses)).flat()]
}

/** The first link of a path below a folder that is seen, or of the whole path. */
const firstLink = async (path: string, seen: readonly string[]): Promise<string | undefined> => {
  const start = seen.filter((folder) => isWithin(path, folder)).sort((a, b) => b.length - a.length)[0]
  const candidates = foldersUpFrom(path).filter(
    (each) => start === undefined || (each !== start && isWithin(each, start)),
  )
  for (const each of candidates.toReversed()) if ((await lstat(each)).isSymbolicLink()) return each
  return undefined
}

/** Makes a path of this machine mean the same inside; `whole` is the folder or file to show when its end is not seen yet. */
const reach = async (path: string, whole: string, seen: string[], linked: LinkedPath[]): Promise<void> => {
  const show = (destination: string, source: string) => {
    seen.push(destination)
    linked.push({ source, destination })
  }
  let current = path
  for (let link = await firstLink(current, seen); link !== undefined; link = await firstLink(current, seen)) {
    // Only a link that is seen inside is one there.
    if (seen.some((folder) => isWithin(link as string, folder)))
      current = resolve(dirname(link), await readlink(link)) + current.slice(link.length)
    else show(link, await realpath(link))
  }
  if (!seen.some((folder) => isWithin(current, folder))) show(whole, whole)
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
  if (covers !== undefined) throw fail('VID_CONTAINER_PACKAGE', { name, folder, covers })
  return folder
}

const manifestOf = async (file: string): Promise<string | undefined> => {
  for (const folder of foldersUpFrom(dirname(file))) {
    const manifest = join(folder, 'package.json')
    if (await lstat(manifest).catch(rethrowMachineFault)) return manifest
  }
  return undefined
}

/**
 * What code of the config, and the fonts of the project, need besides what is seen: packages that links in `node_modules`
 * lead to, as in a workspace, and single files that are imported from elsewhere.
 */
export const linkedCode = async ({
  projectDir,
  config,
  seen,
}: LinkSearch): Promise<readonly LinkedPath[]> => {
  const graph = followCode(config === undefined ? [] : [config], await fontUses(projectDir))
  const all = [...seen]
  const linked: LinkedPath[] = []
  for (const found of graph.packages) {
    const modules = modulesOf(found.place)
    if (modules !== undefined) await reach(modules, modules, all, linked)
    await reach(found.place, folderOf(found), all, linked)
  }
  for (const file of graph.files) {
    const shown = [...all, ...linked.map(({ source }) => source)]
    if (!CODE.test(file) || shown.some((folder) => isWithin(file, folder))) continue
    const manifest = await manifestOf(file)
    for (const each of [file, ...(manifest === undefined ? [] : [manifest])])
      await reach(each, each, all, linked)
  }
  return linked
}
