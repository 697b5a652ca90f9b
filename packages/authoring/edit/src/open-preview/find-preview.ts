import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { isWithin } from '@vid/system'
import { findPreviewNote, type PreviewNote } from './preview-note.ts'

/** A composition: the folder that its files are named from, and its own file. */
export interface CompositionPlace {
  /** Absolute. */
  readonly dir: string
  readonly entry: string
}

/** An open preview, and a composition from the folder of its project. */
export interface FoundPreview {
  readonly place: CompositionPlace
  readonly note: PreviewNote
}

/** The composition that a path names: one in a folder, or a file itself. */
export const findCompositionPlace = async (path: string, entry?: string): Promise<CompositionPlace> => {
  const isFile = entry === undefined && (await stat(path).catch(() => undefined))?.isFile() === true
  return isFile ? { dir: dirname(path), entry: basename(path) } : { dir: path, entry: entry ?? 'index.html' }
}

/** The path of a file from a folder, as projects write it. */
export const pathFrom = (folder: string, file: string): string => relative(folder, file).split(sep).join('/')

/**
 * The open preview of a composition: that of the nearest folder around its file which has one. With `roots`, no folder
 * outside of them is searched.
 */
export const findPreview = async (
  { dir, entry }: CompositionPlace,
  roots: readonly string[] | undefined,
): Promise<FoundPreview | undefined> => {
  const file = resolve(dir, entry)
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (roots && !roots.some((root) => isWithin(folder, root))) return undefined
    const note = await findPreviewNote(folder)
    if (note) return { place: { dir: folder, entry: pathFrom(folder, file) }, note }
    if (dirname(folder) === folder) return undefined
  }
}

/** Folders that are read below another one, and how deep. */
const MAX_FOLDERS = 500
const MAX_DEPTH = 3

/** Folders below another one, the nearest first, without hidden ones and packages. Links are not followed. */
async function* foldersBelow(dir: string): AsyncGenerator<string> {
  let left = MAX_FOLDERS
  let level: readonly string[] = [dir]
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const next: string[] = []
    for (const folder of level)
      for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
        if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue
        left -= 1
        if (left < 0) return
        yield join(folder, entry.name)
        next.push(join(folder, entry.name))
      }
    level = next
  }
}

/** Projects below a folder that are open in a preview. */
export const findPreviewsBelow = async (dir: string, signal: AbortSignal): Promise<readonly string[]> => {
  const projects: string[] = []
  for await (const folder of foldersBelow(dir)) {
    signal.throwIfAborted()
    if (await findPreviewNote(folder)) projects.push(folder)
  }
  return projects.sort()
}
