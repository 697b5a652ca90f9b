import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { StagedFile } from '@vid/edit'
import { copyNamedPackages, putFile } from '@vid/project'
import { listFiles, resolveProjectPath } from '@vid/system'

const ANY = /(?:)/

/** Folders that are left out, where packages are copied on request alone. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules'])

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
  await mkdir(target, { recursive: true })
  for (const path of await listFiles(root, ANY, LEFT_OUT)) {
    signal.throwIfAborted()
    const resolved = await resolveProjectPath(root, path)
    if (!staged.has(path) && 'file' in resolved) await putFile(resolved.file, join(target, path))
  }
  for (const [path, file] of staged) {
    if (file.kind === 'copy') {
      await putFile(file.from, join(target, path))
      continue
    }
    await mkdir(dirname(join(target, path)), { recursive: true })
    await writeFile(join(target, path), file.bytes, { flag: 'wx' })
  }
  await copyNamedPackages(root, target, signal)
}
