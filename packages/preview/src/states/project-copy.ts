import { constants } from 'node:fs'
import { copyFile, link, mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { StagedFile } from '@vid/edit'
import { rethrowMachineFault } from '@vid/kernel'
import { resolveProjectPath } from '@vid/system'
import { listFiles } from '../project/file-list.ts'

/** A folder whose files are copied on request alone. */
const PACKAGES = 'node_modules'

const LEFT_OUT: ReadonlySet<string> = new Set([PACKAGES])

const ANY = /(?:)/

/** Files that name packages, and the largest of them, in bytes. */
const NAMING = /\.(?:html?|css|m?js)$/i
const MAX_BYTES = 4 * 1024 * 1024

/** Puts a file at another path: by a hard link, which takes no space, else as a copy. */
const putFile = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true })
  // Another file system, or one without links.
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE))
}

/** The packages of a folder, with their scopes. */
const packagesOf = async (modules: string): Promise<readonly string[]> => {
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

/** Puts the packages that a text of the project names into a copy of it. */
const copyPackages = async (dir: string, target: string, texts: readonly string[]): Promise<void> => {
  const modules = join(dir, PACKAGES)
  const names = await packagesOf(modules)
  for (const name of names.filter((candidate) => texts.some((text) => text.includes(candidate)))) {
    const folder = await realpath(join(modules, name))
    for (const file of await listFiles(folder, ANY, LEFT_OUT))
      await putFile(join(folder, file), join(target, PACKAGES, name, file))
  }
}

const readNaming = async (path: string): Promise<string[]> => {
  const { size } = await stat(path)
  return size > MAX_BYTES ? [] : [await readFile(path, 'utf8')]
}

/**
 * Makes a copy of a project in a new folder, with what is staged in place of its files; both are absolute. Hidden files,
 * packages that nothing names, and links to other folders are left out. Nothing may write into the copy: its other files are those of
 * the project.
 */
export const copyProject = async (
  dir: string,
  target: string,
  staged: ReadonlyMap<string, StagedFile>,
  signal: AbortSignal,
): Promise<void> => {
  const root = await realpath(dir)
  const texts: string[] = []
  await mkdir(target, { recursive: true })
  for (const path of await listFiles(root, ANY, LEFT_OUT)) {
    signal.throwIfAborted()
    const resolved = await resolveProjectPath(root, path)
    if (staged.has(path) || 'refusal' in resolved) continue
    await putFile(resolved.file, join(target, path))
    if (NAMING.test(path)) texts.push(...(await readNaming(resolved.file)))
  }
  for (const [path, file] of staged) {
    if (file.kind === 'copy') {
      await putFile(file.from, join(target, path))
      continue
    }
    await mkdir(dirname(join(target, path)), { recursive: true })
    await writeFile(join(target, path), file.bytes, { flag: 'wx' })
    texts.push(new TextDecoder().decode(file.bytes))
  }
  await copyPackages(root, target, texts)
}
