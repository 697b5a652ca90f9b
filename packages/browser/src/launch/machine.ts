import { execFileSync } from 'node:child_process'
import { readFileSync, statfsSync } from 'node:fs'

/** Properties of the machine that launch flags depend on. */
export interface BrowserMachine {
  /** Whether Chromium's own sandbox can start. */
  readonly sandbox: boolean
  /** Whether /dev/shm has room for the browser's shared memory; true where no such folder is used. */
  readonly roomySharedMemory: boolean
}

/** Chromium needs about this much for 4K pages; containers often give 64 MB. */
const SHARED_MEMORY_BYTES = 512 * 1024 * 1024
const PROBE_TIMEOUT_MS = 2000

const readSetting = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** A container may refuse what the kernel's settings allow, so one namespace is created to find out. */
const canMakeNamespaces = (): boolean => {
  try {
    execFileSync('unshare', ['--user', '--map-root-user', 'true'], {
      stdio: 'ignore',
      timeout: PROBE_TIMEOUT_MS,
    })
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

const hasSandbox = (): boolean => {
  if (process.getuid?.() === 0) return false
  if (readSetting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1') return false
  return canMakeNamespaces()
}

/** Read once in a process: a machine keeps these properties while it runs. */
let cached: BrowserMachine | undefined

/** Properties of this machine. */
export const readMachine = (): BrowserMachine => {
  if (cached !== undefined) return cached
  if (process.platform !== 'linux') {
    cached = { sandbox: true, roomySharedMemory: true }
    return cached
  }
  let bytes = 0
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    bytes = bavail * bsize
  } catch {
    // Without the folder the browser must keep its shared memory in files.
  }
  cached = { sandbox: hasSandbox(), roomySharedMemory: bytes >= SHARED_MEMORY_BYTES }
  return cached
}
