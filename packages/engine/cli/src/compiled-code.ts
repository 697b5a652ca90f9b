import { claimCacheFolder } from '@vid/system/cache-folder'

/** Keeps compiled code for the next start of the command; without a folder for it, code is compiled at each start. */
export const keepCompiledCode = async (env: NodeJS.ProcessEnv, enable: (folder: string) => unknown): Promise<void> => {
  const folder = await claimCacheFolder('compiled-code', env)
  if (folder !== undefined) enable(folder)
}
