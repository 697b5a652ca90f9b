import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { lstat, mkdir, opendir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { isProcessAlive, processStart } from '../processes/process-tree.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Entries of a folder that are looked at: others may fill a shared folder with as many as they like. */
const MAX_ENTRIES = 50_000

const readOr = (read: () => string, otherwise: string): string => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** In names, for a start time that the system does not tell. */
const UNKNOWN_START = '0'

/** The running system and its numbering of processes: containers of one host name have one each. */
const machineMark = (): string => {
  const boot = readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), '')
  const pids = readOr(() => readlinkSync('/proc/self/ns/pid'), '')
  return createHash('sha256').update(`${hostname()}\n${boot}\n${pids}`).digest('hex').slice(0, 12)
}

// Neither changes while this process runs.
let self: { readonly machine: string; readonly start: string } | undefined
const identity = () => {
  self ??= { machine: machineMark(), start: processStart(process.pid) ?? UNKNOWN_START }
  return self
}

const OWNER = /^([0-9a-f]{12})-(\d{1,10})-(\d{1,20})-[0-9a-f]{12}(\.[a-z]+)?$/

/** A new name, of at most 80 bytes with a short prefix, that says which process owns the file or folder. */
export const scratchName = (prefix: string): string => {
  const { machine, start } = identity()
  return `${prefix}${machine}-${process.pid}-${start}-${randomBytes(6).toString('hex')}`
}

/** Makes a folder (mode 0700) that belongs to this process until it is removed. */
export const makeScratchFolder = async (parent: string, prefix: string): Promise<string> => {
  const path = join(parent, scratchName(prefix))
  await mkdir(path, { mode: 0o700 })
  return path
}

/** Whether a name that `scratchName` made belongs to a process of this machine that has ended. */
export const hasOwnerEnded = (name: string, prefix: string): boolean => {
  const [, machine, pid, start = ''] = (name.startsWith(prefix) && OWNER.exec(name.slice(prefix.length))) || []
  return machine === identity().machine && !isProcessAlive(Number(pid), start === UNKNOWN_START ? undefined : start)
}

/** When a file, or a folder or one of its entries, was changed last. */
const changedMs = async (path: string): Promise<number> => {
  const names = await readdir(path).catch(() => [])
  const paths = [path, ...names.slice(0, 1000).map((name) => join(path, name))]
  const times = paths.map((path) =>
    lstat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  )
  return Math.max(...(await Promise.all(times)))
}

/** Removes what another user owns with that user's rights: as root, a link slipped in meanwhile could lead anywhere. */
const removeAs = (path: string, uid: number, gid: number): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn('rm', ['-rf', '--', path], { uid, gid, stdio: 'ignore', env: {} })
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })

/** Facts of what an ended process has left under such a name; undefined for anything else, or where this user may not remove it. */
const abandoned = async (path: string, name: string) => {
  const [, machine, pid, start = ''] = OWNER.exec(name) ?? []
  if (machine === undefined) return undefined
  const uid = process.getuid?.()
  const facts = await lstat(path).catch(() => undefined)
  if (facts === undefined || (uid !== undefined && uid !== 0 && facts.uid !== uid)) return undefined
  const isLeft =
    machine === identity().machine
      ? !isProcessAlive(Number(pid), start === UNKNOWN_START ? undefined : start)
      : Date.now() - (await changedMs(path)) > DAY_MS
  return isLeft ? { ...facts, isOwn: uid === undefined || facts.uid === uid } : undefined
}

/** Whether a file or folder with such a name belongs to this user and was left by a process that has ended. */
export const isAbandoned = async (path: string, prefix: string): Promise<boolean> => {
  const facts = await abandoned(path, basename(path).slice(prefix.length))
  return facts?.isOwn ?? false
}

const removeIfAbandoned = async (path: string, name: string): Promise<void> => {
  const facts = await abandoned(path, name)
  if (facts === undefined) return
  if (facts.isOwn) await rm(path, { recursive: true, force: true })
  else await removeAs(path, facts.uid, facts.gid)
}

/**
 * Removes what ended processes have left under such names, as far as this user may; of another machine or container,
 * what is a day old. It never fails, since it only tidies up.
 */
export const removeAbandoned = async (parent: string, prefix: string): Promise<void> => {
  try {
    let count = 0
    for await (const { name } of await opendir(parent, { bufferSize: 512 })) {
      count += 1
      if (count > MAX_ENTRIES) return
      if (name.startsWith(prefix))
        await removeIfAbandoned(join(parent, name), name.slice(prefix.length)).catch(() => {})
    }
  } catch {
    // There is no such folder, or it may not be read.
  }
}
