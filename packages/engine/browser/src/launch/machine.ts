import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { childEnvironment, machineCrowding } from '@vid/system'

/** Properties of the machine that launch flags depend on. */
export interface BrowserMachine {
  /** Whether Chromium's own sandbox can start. */
  readonly sandbox: boolean
  /** Command line prefix with which Chromium's sandbox can start, if it cannot start alone. */
  readonly sandboxPrefix?: readonly string[]
  /** The reason why its sandbox cannot start. */
  readonly sandboxMissing?: string
  /** Whether /dev/shm has room for the browser's shared memory; true on systems that do not use it. */
  readonly roomySharedMemory: boolean
}

type Sandbox = Omit<BrowserMachine, 'roomySharedMemory'>

/** Chromium needs about this much for 4K pages; containers often give 64 MB. */
const SHARED_MEMORY_BYTES = 512 * 1024 * 1024
/** Time limit of each attempt to run a program on an idle machine. */
const PROBE_TIMEOUTS_MS = [2_000, 10_000, 30_000] as const
const SHARED_MEMORY = '/dev/shm'

/**
 * Chromium refuses to use its sandbox as root. In a user namespace, root becomes an ordinary user without capabilities
 * who still owns root's files: caches, fonts and profiles need no other owner.
 */
const AS_ORDINARY_USER = ['--user', '--map-user=1000', '--map-group=1000', '--'] as const

/** Creates the namespace of a sandbox; the program in it is one that is surely there. */
const namespaceOf = (unshare: string) => ['--user', '--map-root-user', unshare, '--version'] as const

const readSetting = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** The absolute path of the program that creates namespaces, which a library of a driver needs. */
const findUnshare = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, 'unshare'))
    .find((path) => existsSync(path))

/** Whether a program exits with 0. A run that was killed or timed out is inconclusive and is repeated. */
const succeeds = (program: string, args: readonly string[]): boolean => {
  for (const limitMs of PROBE_TIMEOUTS_MS) {
    const timeout = Math.ceil(limitMs * machineCrowding())
    const { status } = spawnSync(program, args, { stdio: 'ignore', timeout, env: childEnvironment() })
    if (status !== null) return status === 0
  }
  return false
}

const missing = (reason: string): Sandbox => ({ sandbox: false, sandboxMissing: reason })

/** Creates namespaces as a test, since a container may refuse what the kernel's settings allow. */
const readSandbox = (): Sandbox => {
  if (readSetting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1')
    return missing('AppArmor restricts user namespaces on this machine')
  const isRoot = process.getuid?.() === 0
  const unshare = findUnshare()
  if (unshare === undefined)
    return isRoot ? missing('for root it needs the program unshare, of util-linux') : { sandbox: true }
  const namespace = namespaceOf(unshare)
  const args = isRoot ? [...AS_ORDINARY_USER, unshare, ...namespace] : namespace
  if (!succeeds(unshare, args)) return missing('this user cannot create user namespaces on this machine')
  return isRoot ? { sandbox: false, sandboxPrefix: [unshare, ...AS_ORDINARY_USER] } : { sandbox: true }
}

const hasRoom = (): boolean => {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(SHARED_MEMORY)
    return bavail * bsize >= SHARED_MEMORY_BYTES
  } catch {
    // Without the folder the browser must keep its shared memory in files.
    return false
  }
}

/** Read once per process, since these properties do not change. */
let cached: BrowserMachine | undefined

/** Properties of this machine. */
export const readMachine = (): BrowserMachine => {
  cached ??=
    process.platform === 'linux'
      ? { ...readSandbox(), roomySharedMemory: hasRoom() }
      : { sandbox: true, roomySharedMemory: true }
  return cached
}
