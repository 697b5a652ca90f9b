import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, processesBelow } from '@vid/system'
import type { FunctionEnvironment } from './environment.ts'

/** Part of the function's memory that browsers may use between calls. */
const MEMORY_SHARE = 0.125

/** Limit on what pages may have stored in the profiles of idle browsers. */
const MAX_PROFILE_BYTES = 256 * 2 ** 20

/** Name prefix of browser profiles. */
const PROFILE = 'vid-profile-'

/** Memory of a process in bytes; shared memory is divided among its processes. */
const memoryOf = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
}

/** Memory of all descendants of a process, in bytes. */
export const memoryBelow = async (root: number): Promise<number> => {
  const sizes = await Promise.all((await processesBelow(root)).map(({ pid }) => memoryOf(pid)))
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** Whether idle browsers leave enough memory and space for later calls. */
export const browsersAreSmall = async ({ tempDir, memoryBytes }: FunctionEnvironment): Promise<boolean> => {
  if ((await memoryBelow(process.pid)) > memoryBytes * MEMORY_SHARE) return false
  const profiles = (await readdir(tempDir)).filter((name) => name.startsWith(PROFILE))
  const sizes = await Promise.all(profiles.map((name) => bytesOf(join(tempDir, name))))
  return sizes.reduce((sum, bytes) => sum + bytes, 0) <= MAX_PROFILE_BYTES
}
