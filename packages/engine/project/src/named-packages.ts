import { constants } from 'node:fs'
import { copyFile, link, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { rethrowMachineFault } from '@vid/protocol'

const MODULES = 'node_modules'

/** Files that name packages, and the largest of them, in bytes. */
const NAMING = /\.(?:html?|css|m?js)$/i
const MAX_BYTES = 4 * 1024 * 1024

/** Puts a file at another path, where nothing may write to it: by a hard link, which takes no space, else as a copy. */
export const putFile = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true })
  // Another file system, or one without links.
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE))
}

/** The files of a folder, relative to it, without hidden ones and those of packages. */
const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return paths
    .map((path) => relative(folder, path))
    .filter((path) => !path.split(/[\\/]/).some((step) => step === MODULES || step.startsWith('.')))
}

const textsIn = async (folder: string): Promise<readonly string[]> => {
  const texts: string[] = []
  for (const file of await filesIn(folder)) {
    const path = join(folder, file)
    if (NAMING.test(file) && (await stat(path)).size <= MAX_BYTES) texts.push(await readFile(path, 'utf8'))
  }
  return texts
}

/** The names of the packages of a project, with their scopes. */
const packagesIn = async (modules: string): Promise<readonly string[]> => {
  const names = (await readdir(modules).catch(rethrowMachineFault)) ?? []
  const packages = await Promise.all(
    names
      .filter((name) => !name.startsWith('.'))
      .map(async (name) =>
        name.startsWith('@') ? (await readdir(join(modules, name))).map((inner) => `${name}/${inner}`) : [name],
      ),
  )
  return packages.flat()
}

/**
 * Puts the packages of a project that a text of its copy names into that copy: a page may load files of its own folder alone, and
 * all packages of a project may be very many files.
 */
export const copyNamedPackages = async (project: string, copy: string, signal: AbortSignal): Promise<void> => {
  const modules = join(project, MODULES)
  const names = await packagesIn(modules)
  const texts = names.length === 0 ? [] : await textsIn(copy)
  for (const name of names.filter((candidate) => texts.some((text) => text.includes(candidate)))) {
    signal.throwIfAborted()
    const folder = await realpath(join(modules, name))
    for (const file of await filesIn(folder)) await putFile(join(folder, file), join(copy, MODULES, name, file))
  }
}
