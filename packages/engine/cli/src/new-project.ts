import { basename, resolve } from 'node:path'
import { shellWord, shortPath } from '@vid/command'
import { describeCause } from '@vid/protocol'
import { fail } from './errors.ts'
import { entriesOf, type FolderFiles, fillFolder, writeNewFolder } from './new-folder.ts'

/** Entries of a folder that a message names. */
const MAX_SHOWN = 3

/** Where a new project goes. */
export interface ProjectPlace {
  /** Absolute. */
  readonly folder: string
  readonly name: string
  /** As it is written from the current folder. */
  readonly shown: string
  /** Whether that folder is there already, empty. */
  readonly isThere: boolean
}

/** The place for a new project; an error where something is in its way. */
export const placeProject = async (path: string | undefined, cwd: string): Promise<ProjectPlace> => {
  const folder = resolve(cwd, path ?? '.')
  const shown = shortPath(folder, cwd)
  const entries = await entriesOf(folder).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOTDIR') throw fail('VID_INIT_TAKEN', { folder: shown, reason: 'there is a file' })
    throw fail('VID_INIT_FOLDER', { folder: shown, reason: describeCause(thrown) }, { cause: thrown })
  })
  if (entries !== undefined && entries.length > 0) {
    const reason = `it is not empty and has ${entries.slice(0, MAX_SHOWN).join(', ')}`
    throw fail('VID_INIT_TAKEN', { folder: shown, reason })
  }
  return { folder, name: basename(folder), shown, isThere: entries !== undefined }
}

/** Writes every file of a new project, or none. */
export const writeProject = async (
  { folder, shown, isThere }: ProjectPlace,
  files: FolderFiles,
  signal: AbortSignal,
): Promise<void> => {
  await (isThere ? fillFolder : writeNewFolder)(folder, files, signal).catch((thrown: unknown) => {
    if (signal.aborted) throw thrown
    throw fail('VID_INIT_FOLDER', { folder: shown, reason: describeCause(thrown) }, { cause: thrown })
  })
}

/** The command that goes on in a new project, from the current folder. */
export const nextCommand = (folder: string, cwd: string, command: string): string =>
  `${folder === cwd ? '' : `cd ${shellWord(shortPath(folder, cwd))} && `}${command}`
