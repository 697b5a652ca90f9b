import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rethrowMachineFault } from '@vid/protocol'
import { isWithin } from '@vid/system'
import type { Mount } from './mounts.ts'
import { foldersUpFrom } from './paths.ts'

/** Files and folders in which credentials and variables are kept; nothing of a composition is served from any of them. */
const SECRETS =
  /^\.(?:env(?:\..+)?|npmrc|yarnrc|yarnrc\.yml|netrc|git|git-credentials|ssh|aws|azure|config|docker|gnupg|kube)$/

const isFolderOfCode = (path: string) => /(?:^|\/)node_modules(?:\/|$)/.test(path)

/**
 * Mounts that close the files and folders of secrets in what a render reads: at the top of each folder that is shown, and
 * from the project and the config up to there. Reading one is refused, rather than answered with nothing.
 */
export const secretMounts = async (
  mountedFolders: readonly Mount[],
  starts: readonly string[],
  workDir: string,
): Promise<readonly Mount[]> => {
  const roots = mountedFolders.map(({ source, destination = source }) => ({ source, destination }))
  const between = starts
    .flatMap(foldersUpFrom)
    .filter((folder) => roots.some(({ source }) => folder !== source && isWithin(folder, source)))
    .map((source) => ({ source, destination: source }))
  const mounts = new Map<string, Mount>()
  const file = join(workDir, 'closed-file')
  const folder = join(workDir, 'closed-folder')
  for (const { source: hostFolder, destination: inside } of [...roots, ...between]) {
    if (isFolderOfCode(hostFolder)) continue
    const entries = await readdir(hostFolder, { withFileTypes: true }).catch(rethrowMachineFault)
    for (const entry of entries ?? []) {
      if (!SECRETS.test(entry.name) || !(entry.isFile() || entry.isDirectory())) continue
      const destination = join(inside, entry.name)
      mounts.set(destination, { source: entry.isFile() ? file : folder, destination, isReadOnly: true })
    }
  }
  if (mounts.size === 0) return []
  await writeFile(file, '')
  await chmod(file, 0)
  await mkdir(folder, { mode: 0 })
  return [...mounts.values()]
}
