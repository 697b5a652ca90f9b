import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { findCommit, takeCommit } from '@vid/analysis'
import type { StagedFile } from '@vid/edit'
import { scratchName } from '@vid/system'
import type { StateName } from '../findings-api.ts'
import { copyProject } from './project-copy.ts'

/** A folder that holds a state of a project. */
export interface StateFolder {
  /** Absolute. */
  readonly projectDir: string
  readonly state: StateName
}

/** The states of a project: as it is staged for a composition, as it is written, and as the last commit has it. */
export interface StateFolders {
  /** Runs work on the folder of a state, which stays as it is until the work has ended. */
  use<T>(entry: string, state: StateName, signal: AbortSignal, work: (folder: StateFolder) => Promise<T>): Promise<T>
  /** Forgets copies of files that have changed. */
  renew(): void
}

/** What the states of a project are made of. */
export interface StateFoldersOptions {
  /** Absolute, links resolved. */
  readonly dir: string
  /** Absolute folder for copies: on the file system of the project, they take no space. */
  readonly scratch: () => Promise<string>
  /** What is staged for a composition; another map after each change, and empty for nothing. */
  readonly stagedFor: (entry: string) => ReadonlyMap<string, StagedFile>
}

/** A copy of the project with what is staged, removed when it is out of date and nobody uses it. */
interface Copy {
  readonly staged: ReadonlyMap<string, StagedFile>
  readonly folder: Promise<string>
  users: number
  isCurrent: boolean
}

/** Keeps one copy of a project for each composition with something staged. */
const createCopies = ({ dir, scratch, stagedFor }: StateFoldersOptions, signal: AbortSignal) => {
  const copies = new Map<string, Copy>()

  const tidy = async (copy: Copy) => {
    if (copy.isCurrent || copy.users > 0) return
    const folder = await copy.folder.catch(() => undefined)
    if (folder !== undefined) await rm(join(folder, '..'), { recursive: true, force: true })
  }
  const retire = (entry: string) => {
    const copy = copies.get(entry)
    copies.delete(entry)
    if (!copy) return
    copy.isCurrent = false
    void tidy(copy)
  }
  // Others may wait for a copy: it is made also when the first of them has left.
  const make = async (staged: Copy['staged']) => {
    // Renders are named after their folder.
    const target = join(await scratch(), scratchName('staged-'), basename(dir))
    await copyProject(dir, target, staged, signal)
    return target
  }
  const current = (entry: string, staged: Copy['staged']): Copy => {
    const copy = copies.get(entry)
    if (copy?.staged === staged) return copy
    retire(entry)
    const next: Copy = { staged, folder: make(staged), users: 0, isCurrent: true }
    copies.set(entry, next)
    next.folder.catch(() => retire(entry))
    return next
  }
  return {
    async use<T>(entry: string, work: (projectDir: string) => Promise<T>): Promise<T> {
      const copy = current(entry, stagedFor(entry))
      copy.users += 1
      try {
        return await work(await copy.folder)
      } finally {
        copy.users -= 1
        await tidy(copy)
      }
    },
    renew() {
      for (const entry of [...copies.keys()]) retire(entry)
    },
  }
}

/** Takes commits of a project out of git, each once. */
const createCommits = ({ dir, scratch }: StateFoldersOptions, signal: AbortSignal) => {
  const folders = new Map<string, Promise<string>>()
  const take = async (commit: string) => takeCommit({ folder: dir, signal }, commit, await scratch())
  return async (useSignal: AbortSignal): Promise<string> => {
    const commit = await findCommit({ folder: dir, signal: useSignal }, 'HEAD')
    const folder = folders.get(commit) ?? take(commit)
    folders.set(commit, folder)
    folder.catch(() => folders.delete(commit))
    return folder
  }
}

/** Opens the states of a project; `signal` ends the making of copies. */
export const createStateFolders = (options: StateFoldersOptions, signal: AbortSignal): StateFolders => {
  const { dir, stagedFor } = options
  const copies = createCopies(options, signal)
  const head = createCommits(options, signal)
  return {
    async use(entry, state, useSignal, work) {
      if (state === 'head') return work({ projectDir: await head(useSignal), state })
      const isStaged = state === 'staged' && stagedFor(entry).size > 0
      if (!isStaged) return work({ projectDir: dir, state: 'written' })
      return copies.use(entry, (projectDir) => work({ projectDir, state }))
    },
    renew: copies.renew,
  }
}
