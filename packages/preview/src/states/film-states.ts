import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { findCommit, takeCommit } from '@vid/compare'
import type { StagedFile } from '@vid/edit'
import { scratchName } from '@vid/system'
import type { FilmState } from '../findings-api.ts'
import { copyProject } from './project-copy.ts'

/** A folder that holds a state of a project. */
export interface StateFolder {
  /** Absolute. */
  readonly projectDir: string
  readonly state: FilmState
}

/** The states of a project: as it is staged for a composition, as it is written, and as the last commit has it. */
export interface FilmStates {
  /** Runs work on the folder of a state, which stays as it is until the work has ended. */
  use<T>(entry: string, state: FilmState, signal: AbortSignal, work: (folder: StateFolder) => Promise<T>): Promise<T>
  /** Forgets copies of files that have changed. */
  renew(): void
}

/** What the states of a project are made of. */
export interface FilmStatesOptions {
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
const createCopies = ({ dir, scratch, stagedFor }: FilmStatesOptions) => {
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
  const make = async (staged: Copy['staged'], signal: AbortSignal) => {
    // Renders are named after their folder.
    const target = join(await scratch(), scratchName('staged-'), basename(dir))
    await copyProject(dir, target, staged, signal)
    return target
  }
  const current = (entry: string, staged: Copy['staged'], signal: AbortSignal): Copy => {
    const copy = copies.get(entry)
    if (copy?.staged === staged) return copy
    retire(entry)
    const next: Copy = { staged, folder: make(staged, signal), users: 0, isCurrent: true }
    copies.set(entry, next)
    next.folder.catch(() => retire(entry))
    return next
  }
  return {
    async use<T>(entry: string, work: (projectDir: string) => Promise<T>, signal: AbortSignal): Promise<T> {
      const copy = current(entry, stagedFor(entry), signal)
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

/** Opens the states of a project; `signal` ends the making of copies. */
export const createFilmStates = (options: FilmStatesOptions, signal: AbortSignal): FilmStates => {
  const { dir, scratch, stagedFor } = options
  const copies = createCopies(options)
  return {
    async use(entry, state, useSignal, work) {
      if (state === 'head') {
        const place = { folder: dir, signal: useSignal }
        const projectDir = await takeCommit(place, await findCommit(place, 'HEAD'), await scratch())
        return work({ projectDir, state })
      }
      const isStaged = state === 'staged' && stagedFor(entry).size > 0
      if (!isStaged) return work({ projectDir: dir, state: 'written' })
      // Others may wait for the copy: it is made also when the first of them has left.
      return copies.use(entry, (projectDir) => work({ projectDir, state }), signal)
    },
    renew: copies.renew,
  }
}
