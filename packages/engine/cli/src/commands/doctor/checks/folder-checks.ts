import { open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { openCacheDir } from '@vid/assets'
import { bytesText } from '@vid/command'
import { describeCause } from '@vid/protocol'
import { scratchName } from '@vid/system'
import type { Trial, TrialFinding } from '../check.ts'
import { mendCache, mendScratch } from '../mending.ts'

const TRIED_BYTES = 2 ** 20

/** Writes a file, flushes it to disk and removes it. */
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

/** Checks that a folder is writable and has enough free space. */
const lookAt = async (folder: string, minBytes: number, hint: string): Promise<TrialFinding> => {
  try {
    await tryWriting(folder)
  } catch (cause) {
    return { failed: true, detail: `cannot write to ${folder}: ${describeCause(cause)}`, hint }
  }
  const { bavail, bsize } = await statfs(folder)
  const detail = `${bytesText(bavail * bsize)} free in ${folder}`
  return bavail * bsize >= minBytes ? { detail } : { failed: true, detail, hint }
}

/** The folder, or its nearest existing parent. */
const existing = async (folder: string): Promise<string> => {
  const facts = await stat(folder).catch(() => undefined)
  return facts || dirname(folder) === folder ? folder : existing(dirname(folder))
}

const MIB = 2 ** 20

/** The disk space that a cache folder needs: more if no browser is unpacked there yet. */
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
        'Free disk space there, or set TMPDIR to a folder with more; a minute of 1080p takes a few hundred MB.',
      ),
  },
  {
    name: 'cache folder',
    required: true,
    missing: 'every render, since the browser is unpacked there',
    hint: 'Set VID_CACHE_DIR to a folder that only you can write to.',
    mend: (signal) => mendCache(env, signal),
    async look() {
      const folder = await openCacheDir(env)
      const hint = 'Free disk space there, or set VID_CACHE_DIR to a folder with more.'
      return lookAt(folder, await cacheRoom(folder), hint)
    },
  },
  {
    name: 'output folder',
    required: true,
    missing: 'results, unless --output names another folder',
    look: async () =>
      lookAt(
        await existing(join(cwd, 'renders')),
        100 * MIB,
        'Free disk space there, or choose another folder with --output.',
      ),
  },
]
