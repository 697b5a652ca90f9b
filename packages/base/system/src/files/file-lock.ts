import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { isProcessAlive, processStart } from '../processes/process-tree.ts'

/** The process that has a lock. */
interface Holder {
  readonly pid: number
  readonly host: string
  /** Start time of the process in system ticks; null where it is unknown. */
  readonly begun: string | null
}

/** How often the holder updates its lock. */
const BEAT_MS = 10_000

/** Age after which a lock is stale when its process cannot be checked, as on another computer. */
const SILENT_MS = 6 * BEAT_MS

const describe = (holder: Holder | undefined) =>
  holder ? `process ${holder.pid} on ${holder.host}` : 'a process that has just begun'

const readHolder = (text: string): Holder | undefined => {
  try {
    const { pid, host, begun } = JSON.parse(text) as Partial<Holder>
    if (Number.isInteger(pid) && typeof host === 'string') return { pid: pid as number, host, begun: begun ?? null }
  } catch {
    // Incomplete, or written by another program.
  }
  return undefined
}

const isAlive = async (path: string, holder: Holder | undefined): Promise<boolean> => {
  if (holder?.host === hostname()) return isProcessAlive(holder.pid, holder.begun ?? undefined)
  const silentMs = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Number.POSITIVE_INFINITY,
  )
  return silentMs < SILENT_MS
}

const codeOf = (cause: unknown) => (cause as NodeJS.ErrnoException).code

/** Writes a new file; false when it exists already. */
const writeNew = async (path: string, text: string): Promise<boolean> => {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    throw cause
  }
}

/** The text of a file; undefined if it does not exist. */
const readText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}

/** Removes a stale lock; one that another process has acquired meanwhile is put back. */
const removeDead = async (path: string, dead: string): Promise<void> => {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
    const moved = await readFile(aside, 'utf8')
    if (moved !== dead) await writeNew(path, moved)
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause
  } finally {
    await rm(aside, { force: true })
  }
}

/** A lock that this process has, or the process that has it. */
export type FileLock =
  | { readonly release: () => Promise<void>; readonly holder?: never }
  | { readonly release?: never /** In words. */; readonly holder: string }

/** Another process that has the lock, in words; undefined once this one has it. */
const take = async (path: string, text: string): Promise<string | undefined> => {
  await mkdir(dirname(path), { recursive: true })
  while (!(await writeNew(path, text))) {
    const text = await readText(path)
    if (text === undefined) continue
    const other = readHolder(text)
    if (await isAlive(path, other)) return describe(other)
    await removeDead(path, text)
  }
  return undefined
}

/**
 * Locks what a file at `path` stands for, until it is released; the lock of a killed process is free. Rejects with the
 * system's error when the file cannot be written.
 */
export const lockFile = async (path: string): Promise<FileLock> => {
  const holder: Holder = { pid: process.pid, host: hostname(), begun: processStart(process.pid) ?? null }
  const text = `${JSON.stringify({ ...holder, id: randomUUID() })}\n`
  const other = await take(path, text)
  if (other !== undefined) return { holder: other }
  const beat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {})
  }, BEAT_MS)
  beat.unref()
  return {
    async release() {
      clearInterval(beat)
      // Another process may have taken it over as stale.
      if ((await readText(path).catch(() => undefined)) === text) await rm(path, { force: true }).catch(() => {})
    },
  }
}
