import { open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { openCacheDir } from '@vid/assets'
import { bytesText } from '@vid/command'
import { describeCause } from '@vid/kernel'
import { scratchName } from '@vid/system'
import type { Finding, Trial } from '../check.ts'
import { mendCache, mendScratch } from '../mending.ts'

const TRIED_BYTES = 2 ** 20

/** Writes a file to its end, so that it is on the disk, and removes it. */
const tryWriting = async (folder: string): Promise<void> => {
  const path = join(folder, scratchName('.vid-doctor-'))
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(Buffer.alloc(TRIED_BYTES, 1))
    await file.sync()
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

/** Whether a folder can be written to and has so much room. */
const lookAt = async (folder: string, minBytes: number, hint: string): Promise<Finding> => {
  try {
    await tryWriting(folder)
  } catch (cause) {
    return { failed: true, detail: `nothing can be written to ${folder}: ${describeCause(cause)}`, hint }
  }
  const { bavail, bsize } = await statfs(folder)
  const detail = `${bytesText(bavail * bsize)} are free in ${folder}`
  return bavail * bsize >= minBytes ? { detail } : { failed: true, detail, hint }
}

/** The folder, or the first above it that is there. */
const existing = async (folder: string): Promise<string> => {
  const facts = await stat(folder).catch(() => undefined)
  return facts || dirname(folder) === folder ? folder : existing(dirname(folder))
}

const MIB = 2 ** 20

/** The room that a cache folder needs: for a browser, unless one is unpacked there. */
const cacheRoom = async (folder: string): Promise<number> => {
  const names = await readdir(folder)
  return (names.some((name) => /^(?:browser|downloaded)-/.test(name)) ? 50 : 300) * MIB
}

/** The folders that a render writes to. */
export const folderTrials = (cwd: string, env: NodeJS.ProcessEnv): readonly Trial[] => [
  {
    name: 'scratch folder',
    required: true,
    missing: 'every render',
    mend: mendScratch,
    look: () =>
      lookAt(
        resolve(tmpdir()),
        200 * MIB,
        'make room there, or set TMPDIR to a folder with room; a minute of 1080p takes some hundred MB',
      ),
  },
  {
    name: 'cache folder',
    required: true,
    missing: 'every render: the browser is unpacked there',
    hint: 'set VID_CACHE_DIR to a folder of your own',
    mend: (signal) => mendCache(env, signal),
    async look() {
      const folder = await openCacheDir(env)
      const hint = 'make room there, or set VID_CACHE_DIR to a folder with room'
      return lookAt(folder, await cacheRoom(folder), hint)
    },
  },
  {
    name: 'output folder',
    required: true,
    missing: 'results, where --output names no other folder',
    look: async () =>
      lookAt(
        await existing(join(cwd, 'renders')),
        100 * MIB,
        'make room there, or give renders another place by --output',
      ),
  },
]
