import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const DAY_MS = 24 * 60 * 60 * 1000

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Makes a folder (mode 0700) whose name contains `mark`, this machine and this process. */
export const makeScratchFolder = (parent: string, mark: string): Promise<string> =>
  mkdtemp(join(parent, `${mark}${hostname()}_${process.pid}_`))

/** Removes folders of that mark whose process has ended; those of another machine once they are a day old. */
export const removeAbandoned = async (parent: string, mark: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(mark)) continue
    const path = join(parent, name)
    const [host = '', pid] = name.slice(mark.length).split('_')
    const facts = await lstat(path).catch(() => undefined)
    if (facts === undefined || facts.uid !== (process.getuid?.() ?? facts.uid)) continue
    const abandoned = host === hostname() ? !isAlive(Number(pid)) : Date.now() - facts.mtimeMs > DAY_MS
    if (abandoned) await rm(path, { recursive: true, force: true })
  }
}
