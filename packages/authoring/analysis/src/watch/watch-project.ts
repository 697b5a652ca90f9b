import type { Stats } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { describeCause, rethrowMachineFault } from '@vid/protocol'
import { type FSWatcher, watch } from 'chokidar'

/** What has changed in a project since the last time. */
export interface ProjectChange {
  /** Counts changes since the watch began. */
  readonly revision: number
  /** Relative to the project, with forward slashes; empty when too many changed. */
  readonly files: readonly string[]
  /** Whether the folder is missing. */
  readonly missing: boolean
}

/** A watch over the files of a project. */
export interface ProjectWatch {
  revision(): number
  /** Why not all files are watched; null when they are. */
  problem(): string | null
  /** Reports what has changed in the watched files by now, before the system does. */
  check(): Promise<void>
  close(): Promise<void>
}

/**
 * Time without a change after which a change is reported: editors write a file in several steps. The watcher reports no
 * second change of a file within 50 ms; what is read after longer than that holds it too.
 */
const QUIET_MS = 60
/** A folder that never rests is reported nevertheless. */
const LONGEST_MS = 500
const MAX_NAMED = 100

/** Names of folders whose files no composition is made of. */
const IGNORED: ReadonlySet<string> = new Set(['node_modules', 'renders', 'snapshots'])

const isIgnored = (path: string): boolean =>
  path.split(sep).some((name) => IGNORED.has(name) || (name.startsWith('.') && name !== '.'))

/** How often the folder itself is checked: not every system reports that it went away, and none that it is back. */
const FOLDER_MS = 500

/** Identifies a version of a file: a link to it and a first reading change other times of it. */
const versionOf = ({ mtimeMs, size, ino }: Stats): string => `${mtimeMs} ${size} ${ino}`

/** The watch over a folder as long as it is in its place. */
interface FolderWatch extends Pick<FSWatcher, 'close'> {
  /** Absolute paths of the files that are no longer as they were seen. */
  changed(): Promise<readonly string[]>
}

/** Watches the files of a folder; resolves when changes from now on are seen. */
const watchFolder = async (
  dir: string,
  note: (path: string) => void,
  onFailure: (reason: string) => void,
): Promise<FolderWatch> => {
  const watcher = watch(dir, {
    alwaysStat: true,
    followSymlinks: false,
    ignored: (path) => isIgnored(relative(dir, path)),
  })
  const versions = new Map<string, string>()
  let isReady = false
  watcher.on('all', (event, path, stats) => {
    const version = stats && versionOf(stats)
    const isSame = event === 'change' && version !== undefined && versions.get(path) === version
    if (version === undefined || stats?.isDirectory()) versions.delete(path)
    else versions.set(path, version)
    if (isReady && !isSame) note(path)
  })
  // Without room for more watchers, what is watched so far still is.
  watcher.on('error', (cause) => onFailure(describeCause(cause)))
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  isReady = true
  const isChanged = async (path: string, version: string): Promise<boolean> => {
    const stats = await lstat(path).catch(rethrowMachineFault)
    if (stats && versionOf(stats) === version) return false
    // What the system reports of it later is no second change.
    if (stats) versions.set(path, versionOf(stats))
    else versions.delete(path)
    return true
  }
  return {
    close: () => watcher.close(),
    async changed() {
      const entries = [...versions]
      const areChanged = await Promise.all(entries.map(([path, version]) => isChanged(path, version)))
      return entries.flatMap(([path], index) => (areChanged[index] ? [path] : []))
    },
  }
}

/** Identifies a folder among those at its path; undefined without one. */
const folderMark = async (dir: string): Promise<string | undefined> => {
  const stats = await stat(dir).catch(() => undefined)
  return stats?.isDirectory() ? `${stats.dev}-${stats.ino}` : undefined
}

/** Keeps the first of some reasons, and reports it. */
const keepFirst = (report: (reason: string) => void) => {
  let first: string | null = null
  return {
    get: () => first,
    add(reason: string) {
      if (first === null) report(reason)
      first ??= reason
    },
  }
}

/** Collects the paths of changes until none has come for a moment. */
const createCollection = (flush: (files: readonly string[]) => void) => {
  let timer: NodeJS.Timeout | undefined
  let since = 0
  let files = new Set<string>()
  const take = (): readonly string[] => {
    clearTimeout(timer)
    const names = [...files]
    files = new Set()
    since = 0
    return names
  }
  return {
    take,
    flush() {
      if (files.size > 0) flush(take())
    },
    add(file: string) {
      files.add(file)
      since ||= Date.now()
      clearTimeout(timer)
      timer = setTimeout(() => flush(take()), Math.max(0, Math.min(QUIET_MS, since + LONGEST_MS - Date.now())))
    },
  }
}

/**
 * Watches a project until it is closed, also while its folder is missing; resolves when changes from now on are seen.
 */
export const watchProject = async (
  dir: string,
  {
    onChange,
    skip,
    onFailure,
  }: {
    readonly onChange: (change: ProjectChange) => void
    readonly skip: (path: string) => boolean
    /** Called with the reason when some files cannot be watched. */
    readonly onFailure: (reason: string) => void
  },
): Promise<ProjectWatch> => {
  let revision = 0
  let isClosed = false
  let mark = await folderMark(dir)
  const tell = (files: readonly string[]) => {
    if (isClosed) return
    revision += 1
    onChange({ revision, files: files.length > MAX_NAMED ? [] : files, missing: mark === undefined })
  }
  const collection = createCollection(tell)
  const note = (path: string) => {
    if (mark !== undefined && !isClosed && !skip(path)) collection.add(relative(dir, path).split(sep).join('/'))
  }
  const problem = keepFirst((reason) => {
    if (!isClosed) onFailure(reason)
  })
  let watcher: FolderWatch | undefined = await watchFolder(dir, note, problem.add)
  /** Follows the folder when another one is in its place, or none. */
  const follow = async () => {
    const currentMark = await folderMark(dir)
    if (currentMark === mark || isClosed) return
    mark = undefined
    await watcher?.close()
    watcher = currentMark === undefined ? undefined : await watchFolder(dir, note, problem.add)
    mark = currentMark
    collection.take()
    tell([])
  }
  let lastCheck = Promise.resolve()
  const timer = setInterval(() => {
    lastCheck = lastCheck.then(follow, follow)
  }, FOLDER_MS)
  return {
    revision: () => revision,
    problem: problem.get,
    async check() {
      for (const path of (await watcher?.changed()) ?? []) note(path)
      collection.flush()
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      collection.take()
      await lastCheck.catch(() => {})
      await watcher?.close()
    },
  }
}
