import { readFile } from 'node:fs/promises'
import { digestFile, digestOf } from '@vid/system'
import { mergeTexts } from '../diff/merge.ts'
import { fail } from '../errors.ts'
import type { EditEntry, Editor } from '../events.ts'
import { writablePath } from '../source/project-disk.ts'
import { bytesOfText, readSourceText } from '../source/source-text.ts'
import { commitWrite, type FileWrite, keptFile } from './commit.ts'
import { blobPath, readBlob, readEntry, readHead } from './store.ts'

/** To take an entry back, or to make it again. */
export type Direction = 'undo' | 'redo'

const blobOf = async (folder: string, entry: EditEntry, file: string, digest: string): Promise<Uint8Array> => {
  const bytes = await readBlob(folder, digest)
  if (bytes) return bytes
  throw fail('VID_EDIT_HISTORY', { id: entry.id, file })
}

/** The write of a file that an entry made or removed as a whole. */
const wholeWrite = async (
  dir: string,
  folder: string,
  entry: EditEntry,
  { file, from, to }: { readonly file: string; readonly from: string | null; readonly to: string | null },
): Promise<FileWrite> => {
  const path = from === null ? undefined : await writablePath(dir, file)
  if (path !== undefined && (await digestFile(path)) !== from)
    throw fail('VID_EDIT_CONFLICT', { file, line: 1, reason: 'it is another file than the one that was imported' })
  if (to !== null && (await digestFile(blobPath(folder, to)).catch(() => undefined)) !== to)
    throw fail('VID_EDIT_HISTORY', { id: entry.id, file })
  return { file, content: to === null ? null : keptFile(folder, to), before: from, after: to }
}

/** The writes that take an entry back or make it again; a file that changed since keeps its other changes. */
const writesOf = async (
  dir: string,
  folder: string,
  entry: EditEntry,
  direction: Direction,
): Promise<readonly FileWrite[]> => {
  const writes: FileWrite[] = []
  for (const { file, before, after } of entry.files) {
    const [from, to] = direction === 'undo' ? [after, before] : [before, after]
    if (from === null || to === null) {
      writes.push(await wholeWrite(dir, folder, entry, { file, from, to }))
      continue
    }
    const bytes = await readFile(await writablePath(dir, file))
    const digest = digestOf(bytes)
    const target = await blobOf(folder, entry, file, to)
    if (digest === from) {
      writes.push({ file, content: target, before: digest, after: to })
      continue
    }
    const base = readSourceText(file, await blobOf(folder, entry, file, from))
    const current = readSourceText(file, bytes)
    const text = mergeTexts(file, base.text, readSourceText(file, target).text, current.text)
    const content = bytesOfText({ text, hasMark: current.hasMark })
    writes.push({ file, content, before: digest, after: digestOf(content) })
  }
  return writes
}

/** Takes back the last entry that is in effect, or makes the last one again that was taken back; call it with the lock. */
export const travel = async (dir: string, folder: string, direction: Direction, who: Editor): Promise<EditEntry> => {
  const head = await readHead(folder)
  const id = direction === 'undo' ? head.done.at(-1) : head.undone.at(-1)
  const entry = id === undefined ? undefined : await readEntry(folder, id)
  if (id === undefined || !entry) throw fail('VID_EDIT_NOTHING', { what: direction })
  const writes = await writesOf(dir, folder, entry, direction)
  const next =
    direction === 'undo'
      ? { ...head, done: head.done.slice(0, -1), undone: [...head.undone, id] }
      : { ...head, done: [...head.done, id], undone: head.undone.slice(0, -1) }
  const changed = { ...entry, undone: direction === 'undo' ? who : null }
  await commitWrite(dir, folder, writes, { entry: changed, head: next })
  return changed
}
