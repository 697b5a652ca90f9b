import { readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rethrowMachineFault } from '@vid/protocol'

/** An installed package with the files of a font family, as `@fontsource` publishes them. */
export interface FontPackage {
  readonly name: string
  readonly version: string
  /** Absolute, links resolved. */
  readonly folder: string
  /** Whether one file has all weights. */
  readonly isVariable: boolean
}

/** The package that carries the families that compositions use most. */
export const POPULAR_FONTS = '@vid/fonts-popular'

const SCOPES = ['@fontsource-variable', '@fontsource'] as const

/** The name of a family in package names: `Playfair Display` is `playfair-display`. */
const idOf = (family: string): string => family.trim().toLowerCase().replaceAll(/\s+/g, '-')

/** The package with a family's files in single weights; every family of Google Fonts has one. */
export const fontPackageName = (family: string): string => `@fontsource/${idOf(family)}`

/** `node_modules` folders from `start` upwards. */
const modulesAbove = (start: string): string[] => {
  const above = dirname(start)
  return [join(start, 'node_modules'), ...(above === start ? [] : modulesAbove(above))]
}

const findFolder = async (name: string, start: string): Promise<string | undefined> => {
  for (const modules of modulesAbove(start)) {
    const folder = await realpath(join(modules, name)).catch(rethrowMachineFault)
    if (folder !== undefined) return folder
  }
  return undefined
}

const MODULE_FOLDER = dirname(fileURLToPath(import.meta.url))

/** Where packages are looked for: the project, the carrier of popular families that it or vid has, vid itself. */
const startsOf = async (projectDir: string): Promise<string[]> => {
  const carriers = await Promise.all([projectDir, MODULE_FOLDER].map((start) => findFolder(POPULAR_FONTS, start)))
  return [projectDir, ...carriers.filter((folder) => folder !== undefined), MODULE_FOLDER]
}

/** The folders of the font packages that any project finds with vid, links resolved, by name: of two, the one that is found first. */
export const fontPackagesBeside = async (moduleFolder = MODULE_FOLDER): Promise<ReadonlyMap<string, string>> => {
  const packages = new Map<string, string>()
  const carrier = await findFolder(POPULAR_FONTS, moduleFolder)
  if (carrier !== undefined) packages.set(POPULAR_FONTS, carrier)
  const starts = [...(carrier === undefined ? [] : [carrier]), moduleFolder]
  for (const scope of SCOPES)
    for (const modules of starts.flatMap(modulesAbove)) {
      const ids = (await readdir(join(modules, scope)).catch(rethrowMachineFault)) ?? []
      for (const id of ids) {
        const name = `${scope}/${id}`
        const folder = packages.has(name) ? undefined : await realpath(join(modules, name)).catch(rethrowMachineFault)
        if (folder !== undefined) packages.set(name, folder)
      }
    }
  return packages
}

const readPackage = async (name: string, folder: string): Promise<FontPackage | undefined> => {
  try {
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      version?: unknown
    }
    if (typeof version !== 'string') return undefined
    return { name, version, folder, isVariable: name.startsWith(`${SCOPES[0]}/`) }
  } catch (cause) {
    // A package without a readable manifest is as good as none: the font is looked for elsewhere, or warned of.
    return rethrowMachineFault(cause)
  }
}

/** Finds an installed font package by its name. */
export const findFontPackage = async (projectDir: string, name: string): Promise<FontPackage | undefined> => {
  if (!/^@fontsource(?:-variable)?\/[a-z0-9-]+$/.test(name)) return undefined
  for (const start of await startsOf(projectDir)) {
    const folder = await findFolder(name, start)
    const fontPackage = folder && (await readPackage(name, folder))
    if (fontPackage) return fontPackage
  }
  return undefined
}

/** Finds an installed package for a family, one with all weights in a file first. */
export const findFamilyPackage = async (projectDir: string, family: string): Promise<FontPackage | undefined> => {
  for (const scope of SCOPES) {
    const fontPackage = await findFontPackage(projectDir, `${scope}/${idOf(family)}`)
    if (fontPackage) return fontPackage
  }
  return undefined
}

/** The bytes of a file of a font package; undefined when it has no such file. */
export const readFontFile = async ({ folder }: FontPackage, file: string): Promise<Buffer | undefined> => {
  const path = await realpath(join(folder, file)).catch(rethrowMachineFault)
  return path?.startsWith(folder + sep) ? readFile(path).catch(rethrowMachineFault) : undefined
}
