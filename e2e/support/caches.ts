import { copyFile, link, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolders } from '@vid/system'

/** What a machine keeps of its fonts, programs and browser: making it takes the first render seconds. */
const OF_THE_MACHINE = /^(?:fontconfig|builds|browser-[0-9a-f]+)$/

/** Copies a folder; a browser has hundreds of megabytes, and its files are linked where the file system can. */
const copyFolder = async (from: string, to: string, isLinked: boolean): Promise<void> => {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target, isLinked)
    else if (isLinked) await link(source, target).catch(() => copyFile(source, target))
    else await copyFile(source, target)
  }
}

/** Makes a cache folder for `VID_CACHE_DIR` in which nothing is kept of any source; returns its path. */
export const makeCache = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const [usual] = cacheFolders()
  // A machine that has not rendered yet has no cache.
  const names = usual ? await readdir(usual.path).catch(() => []) : []
  for (const name of names.filter((name) => OF_THE_MACHINE.test(name)))
    await copyFolder(join(usual?.path ?? '', name), join(folder, name), name.startsWith('browser-'))
  return folder
}
