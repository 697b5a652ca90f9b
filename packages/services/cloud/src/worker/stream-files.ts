import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { publishedType } from '@vid/server'
import { runPool } from '@vid/system'
import type { Storage } from '../storage/storage.ts'

/** Files stored at once. */
const AT_ONCE = 8

/** Stores files of a folder below a prefix, for players. */
export const storeStreamFiles = async (
  storage: Pick<Storage, 'put'>,
  { folder, names, prefix }: { readonly folder: string; readonly names: readonly string[]; readonly prefix: string },
  signal: AbortSignal,
): Promise<void> => {
  await runPool(names, AT_ONCE, signal, async (name, stop) => {
    const type = publishedType(name)
    await storage.put(`${prefix}${name}`, join(folder, name), { ...(type !== undefined && { type }), signal: stop })
  })
}

/** Removes files of a folder. */
export const removeMedia = async (folder: string, names: readonly string[]): Promise<void> => {
  for (const name of names) await rm(join(folder, name), { force: true })
}
