import { join } from 'node:path'
import { cacheFolders, claimFolder } from '@vid/system/cache-folder'

/**
 * Keeps compiled code for the next start of the command, in a folder that only this user can write to, since its
 * content is executed. Without such a folder, code is compiled at each start.
 */
export const keepCompiledCode = async (env: NodeJS.ProcessEnv, enable: (folder: string) => unknown): Promise<void> => {
  for (const { path, chosen } of cacheFolders(env)) {
    const folder = join(path, 'compiled-code')
    const isUsable = await claimFolder(folder).then(
      (distrusted) => distrusted === undefined,
      () => false,
    )
    if (isUsable) return void enable(folder)
    if (chosen) return
  }
}
