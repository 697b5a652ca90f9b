import { readdir, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'

const FOLDER = /^(?:browser-[0-9a-f.-]+|downloaded-[\d.]+)$/

/** Running programs; those of other users cannot be read, but neither can their files be removed. */
const runningPrograms = async (): Promise<readonly string[]> => {
  const names = await readdir('/proc')
  const links = names.filter((name) => /^\d+$/.test(name)).map((name) => readlink(`/proc/${name}/exe`))
  return (await Promise.allSettled(links)).flatMap((link) => (link.status === 'fulfilled' ? [link.value] : []))
}

/**
 * Removes the browsers of other versions from a cache folder, unless they are running; a vid that needs one unpacks it
 * again. Resolves to the number of removed browsers: 0 on systems that do not list running programs.
 */
export const removeOldBrowsers = async (cacheDir: string, current: string | undefined): Promise<number> => {
  if (process.platform !== 'linux' || current === undefined) return 0
  const running = await runningPrograms()
  const names = (await readdir(cacheDir)).filter((name) => FOLDER.test(name) && name !== current)
  const unused = names.filter((name) => !running.some((path) => path.startsWith(`${join(cacheDir, name)}/`)))
  for (const name of unused) await rm(join(cacheDir, name), { recursive: true, force: true })
  return unused.length
}
