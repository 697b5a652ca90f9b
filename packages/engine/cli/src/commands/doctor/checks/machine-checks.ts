import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { bytesText } from '@vid/command'
import { ENOUGH_FILES, openFileLimit } from '@vid/render/open-files'
import { machineCores, machineMemory } from '@vid/system'
import { PACKAGE_JSON } from '../../../beside.ts'
import type { Trial } from '../check.ts'
import { mendScratch } from '../mending.ts'

/** A browser and an encoder for one picture of 1080p. */
const MIN_MEMORY = 700 * 2 ** 20

/** With less, the browser keeps what its processes share in files. */
const SHARED_MEMORY = 512 * 2 ** 20

const wantedNode = (): string => {
  const { engines } = JSON.parse(readFileSync(PACKAGE_JSON, 'utf8')) as {
    readonly engines: { readonly node: string }
  }
  return engines.node
}

const node: Trial = {
  name: 'node',
  required: true,
  missing: 'every command',
  // A version that is too old has been refused before anything was loaded.
  look: async () => ({ detail: `${process.version} on ${platform()} ${arch()}; required: ${wantedNode()}` }),
}

const memory: Trial = {
  name: 'memory',
  required: true,
  missing: 'the system may kill renders',
  async look() {
    const bytes = machineMemory()
    const detail = `${bytesText(bytes)} for ${machineCores()} cores`
    if (bytes >= MIN_MEMORY) return { detail }
    return { failed: true, detail, hint: `Give this machine or container at least ${bytesText(MIN_MEMORY)}.` }
  },
}

const openFiles: Trial = {
  name: 'open files',
  required: true,
  missing: 'browsers and ffmpeg may crash during renders',
  async look() {
    const limit = openFileLimit()
    if (limit === undefined) return { detail: 'this system does not report its limit' }
    const detail = `at most ${limit}`
    if (limit >= ENOUGH_FILES) return { detail }
    return { failed: true, detail, hint: `Allow at least ${ENOUGH_FILES} open files.`, command: 'ulimit -n 4096' }
  },
}

const sharedMemory: Trial = {
  name: 'shared memory',
  required: false,
  missing: 'renders are slower, since the browser passes frames through files',
  hint: 'Mount a tmpfs at /dev/shm.',
  mend: mendScratch,
  async look() {
    if (process.platform !== 'linux') return { detail: 'not needed on this system' }
    const { bavail, bsize } = await statfs('/dev/shm')
    const free = bavail * bsize
    const detail = `${bytesText(free)} free in /dev/shm`
    if (free >= SHARED_MEMORY) return { detail }
    const hint = `Give it ${bytesText(SHARED_MEMORY)} or more; for a container, use --shm-size=1g.`
    return { failed: true, detail, hint, command: 'mount -o remount,size=1G /dev/shm' }
  },
}

/** What can be read of this machine. */
export const machineTrials: readonly Trial[] = [node, memory, openFiles, sharedMemory]
