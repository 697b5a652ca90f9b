import { copyFile, link, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Fills a folder with the files of another one, which share their bytes where the file system can. */
const copyFolder = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) await copyFolder(source, target)
    else await link(source, target).catch(() => copyFile(source, target))
  }
}

/** Copies an unpacked project to a new folder in which one file has another text; the project itself stays as it is. */
export const copyWithText = async (
  folder: string,
  copy: string,
  changed: { readonly file: string; readonly text: string },
): Promise<void> => {
  await copyFolder(folder, copy)
  const path = join(copy, changed.file)
  // The file may be the same one as in the project.
  await rm(path)
  await writeFile(path, changed.text, { flag: 'wx', mode: 0o600 })
}
