import { lstat, readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether something is at a path. */
export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Marks a file or folder as used now. */
export const use = async (path: string): Promise<void> => {
  const now = new Date()
  await utimes(path, now, now)
}

/** Bytes of a file, or of all files of a folder; what goes away meanwhile counts nothing. */
export const bytesOf = async (path: string): Promise<number> => {
  const facts = await lstat(path).catch(() => undefined)
  if (!facts) return 0
  if (!facts.isDirectory()) return facts.blocks === 0 ? facts.size : facts.blocks * 512
  let bytes = 0
  for (const name of await readdir(path).catch(() => [])) bytes += await bytesOf(join(path, name))
  return bytes
}

/** Removes the entries of a folder that were used longest ago, until the others are within a limit. */
export const trimFolder = async (
  folder: string,
  maxBytes: number,
  isKept: (name: string) => boolean = () => false,
): Promise<void> => {
  const names = (await readdir(folder).catch(() => [])).filter((name) => !isKept(name))
  const entries = []
  for (const name of names) {
    const path = join(folder, name)
    const facts = await lstat(path).catch(() => undefined)
    if (facts) entries.push({ path, usedMs: facts.mtimeMs, bytes: await bytesOf(path) })
  }
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { path, bytes } of entries.toSorted((a, b) => a.usedMs - b.usedMs)) {
    if (total <= maxBytes) return
    await rm(path, { recursive: true, force: true })
    total -= bytes
  }
}
