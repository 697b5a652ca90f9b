import { chown, lstat, mkdir, readdir, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Order } from '../order.ts'
import { seccompProfile } from './seccomp.ts'
import type { ContainerUser } from './user.ts'

/** Free space that is left to the machine. */
const KEPT_BYTES = 256 * 1024 * 1024

/** Entries that a container may make, besides their bytes. */
const MAX_ENTRIES = 2_000_000

/** The folder that one container may write to. */
export interface WorkFolder {
  /** Absolute. */
  readonly folder: string
  readonly out: string
  /** Absolute path of the filter of system calls, beside the folder. */
  readonly seccomp: string
}

/** Makes the work folder of a container below one that is removed again, with the order in it. */
export const makeWorkFolder = async (workDir: string, order: Order, { owner }: ContainerUser): Promise<WorkFolder> => {
  const folder = join(workDir, 'container')
  const folders = ['', 'out', 'tmp', 'cache', 'home'].map((name) => join(folder, name))
  for (const subfolder of folders) await mkdir(subfolder, { mode: 0o700 })
  const file = join(folder, 'order.json')
  await writeFile(file, JSON.stringify(order), { mode: 0o600 })
  if (owner) for (const ownedPath of [...folders, file]) await chown(ownedPath, owner.uid, owner.gid)
  const seccomp = join(workDir, 'container-seccomp.json')
  await writeFile(seccomp, seccompProfile())
  return { folder, out: join(folder, 'out'), seccomp }
}

/** Bytes and entries below a folder, without following links; stops counting at a limit. */
const measure = async (folder: string, limit: number): Promise<number> => {
  let bytes = 0
  let entries = 0
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name)
      entries += 1
      if (entry.isDirectory()) folders.push(path)
      else bytes += (await lstat(path).catch(() => undefined))?.blocks ?? 0
      if (entries > MAX_ENTRIES || bytes * 512 > limit) return Number.POSITIVE_INFINITY
    }
  }
  return bytes * 512
}

/** Whether a container has filled its share of the disk, or the disk: also by a file that has no name any more. */
export const isOverfull = async (folder: string, limit: number): Promise<boolean> => {
  if ((await measure(folder, limit)) > limit) return true
  const { bavail, bsize, blocks } = await statfs(folder)
  return bavail * bsize < Math.min(KEPT_BYTES, (blocks * bsize) / 50)
}
