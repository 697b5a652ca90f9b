import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { bytesText } from '@vid/command'
import { ENOUGH_FILES, openFileLimit } from '@vid/render/open-files'
import { machineCores, machineMemory } from '@vid/system'
import { MANIFEST } from '../../../beside.ts'
import type { Trial } from '../check.ts'
import { mendScratch } from '../mending.ts'

/** A browser and an encoder for one picture of 1080p. */
const MIN_MEMORY = 700 * 2 ** 20

/** With less, the browser keeps what its processes share in files. */
const SHARED_MEMORY = 512 * 2 ** 20

const wantedNode = (): string => {
  const { engines } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as {
    readonly engines: { readonly node: string }
  }
  return engines.node
}

const node: Trial = {
  name: 'node',
  required: true,
  missing: 'every command',
  // A version that is too old has been refused before anything was loaded.
  look: async () => ({ detail: `${process.version} on ${platform()} ${arch()}; ${wantedNode()} is needed` }),
}

const memory: Trial = {
  name: 'memory',
  required: true,
  missing: 'renders are ended by the system',
  async look() {
    const bytes = machineMemory()
    const detail = `${bytesText(bytes)} for ${machineCores()} cores`
    if (bytes >= MIN_MEMORY) return { detail }
    return { failed: true, detail, hint: `give this machine or container at least ${bytesText(MIN_MEMORY)}` }
  },
}

const openFiles: Trial = {
  name: 'open files',
  required: true,
  missing: 'browsers and ffmpeg end in the middle of renders',
  async look() {
    const limit = openFileLimit()
    if (limit === undefined) return { detail: 'this system does not say how many are allowed' }
    const detail = `${limit} are allowed at once`
    if (limit >= ENOUGH_FILES) return { detail }
    return { failed: true, detail, hint: `allow at least ${ENOUGH_FILES}`, command: 'ulimit -n 4096' }
  },
}

const sharedMemory: Trial = {
  name: 'shared memory',
  required: false,
  missing: 'speed: frames pass from the browser by files',
  hint: 'give the folder /dev/shm a file system in memory',
  mend: mendScratch,
  async look() {
    if (process.platform !== 'linux') return { detail: 'this system needs no folder for it' }
    const { bavail, bsize } = await statfs('/dev/shm')
    const free = bavail * bsize
    const detail = `${bytesText(free)} are free in /dev/shm`
    if (free >= SHARED_MEMORY) return { detail }
    const hint = `give it ${bytesText(SHARED_MEMORY)} or more; a container gets it by --shm-size=1g`
    return { failed: true, detail, hint, command: 'mount -o remount,size=1G /dev/shm' }
  },
}

/** What can be read of this machine. */
export const machineTrials: readonly Trial[] = [node, memory, openFiles, sharedMemory]
