import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { nameProblem } from '@vid/project'
import { parseAs, refusedPath } from '@vid/protocol'
import { digestFile, makeFolder, resolveProjectPath } from '@vid/system'
import { fail } from '../errors.ts'
import type { EditEntry } from '../events.ts'
import { writablePath } from '../source/project-disk.ts'
import { copyNewFile, replaceFile, trySyncFolder, writeNewFile, writeRecord } from './durable-file.ts'
import { type EditJournal, type Head, JournalSchema } from './records.ts'
import { blobPath, keepFile, readBlob, trimHistory, writeBlob, writeEntry } from './store.ts'

/** A file of a project with its new content: bytes, a file to copy, or nothing to remove it. */
export interface FileWrite {
  /** Path in the project. */
  readonly file: string
  readonly content: Uint8Array | { readonly from: string } | null
  readonly before: string | null
  readonly after: string | null
}

/** What a test interrupts: called before each step of a write. */
export type StepHook = (step: string) => void

const journalPath = (folder: string) => join(folder, 'journal.json')

/** Where a file is, or will be; VID_EDIT_PATH outside of the project. */
const placeOf = async (dir: string, file: string, exists: boolean): Promise<string> => {
  if (exists) return writablePath(dir, file)
  const parent = posix.dirname(file)
  const resolved = parent === '.' ? { file: dir } : await resolveProjectPath(dir, parent)
  const refused = (reason: string) => fail('VID_EDIT_PATH', { path: file, reason })
  if (!('file' in resolved)) throw refused('is not in a folder of the project')
  const name = posix.basename(file)
  if (name.startsWith('.') || name.includes('\\')) throw refused('is hidden or malformed')
  return join(resolved.file, name)
}

const digestAt = (path: string): Promise<string | null> => digestFile(path).catch(() => null)

/** Makes the folder of a new file, each part inside the project. */
const makeParent = async (dir: string, file: string): Promise<void> => {
  const parts = posix.dirname(file).split('/')
  for (const index of parts.keys()) {
    const path = parts.slice(0, index + 1).join('/')
    if (path === '.') return
    const resolved = await resolveProjectPath(dir, path)
    if ('refusal' in resolved && resolved.refusal !== 'missing')
      throw fail('VID_EDIT_PATH', { path: file, reason: 'is not in a folder of the project' })
    if ('refusal' in resolved) await makeFolder(join(dir, path))
  }
}

/** Puts the contents of a journal in place, and then its entry. */
const finish = async (
  dir: string,
  folder: string,
  { files, entry, head }: EditJournal,
  onStep: StepHook,
): Promise<void> => {
  const folders = new Set<string>()
  for (const { file, aside, before, after } of files) {
    onStep(`place ${file}`)
    const path = await placeOf(dir, file, before !== null && (await digestAt(join(dir, file))) !== null)
    const fresh = join(dirname(path), aside)
    if (after === null) await rm(path, { force: true })
    // In a second run it may be in place already.
    else if (await stat(fresh).catch(() => undefined)) await rename(fresh, path)
    folders.add(dirname(path))
  }
  for (const path of folders) await trySyncFolder(path)
  onStep('entry')
  await writeEntry(folder, entry, head)
  onStep('end')
  await rm(journalPath(folder), { force: true })
  await trySyncFolder(folder)
}

/** Takes back what a journal put in place, where another program wrote to one of its files meanwhile. */
const takeBack = async (dir: string, folder: string, { files }: EditJournal): Promise<void> => {
  for (const { file, aside, before, after } of files) {
    const path = await placeOf(dir, file, (await digestAt(join(dir, file))) !== null)
    const current = await digestAt(path)
    await rm(join(dirname(path), aside), { force: true })
    if (current !== after) continue
    if (before === null) await rm(path, { force: true })
    else {
      const bytes = await readBlob(folder, before)
      if (bytes) await replaceFile(path, bytes)
    }
  }
  await rm(journalPath(folder), { force: true })
}

/** Whether all files of a journal are places of the project that may be written, or are gone from there. */
const isInProject = async (dir: string, { files }: EditJournal): Promise<boolean> => {
  for (const { file } of files) {
    if (refusedPath(file) !== null || nameProblem(file) !== null) return false
    const parent = posix.dirname(file)
    for (const path of parent === '.' ? [file] : [parent, file]) {
      const resolved = await resolveProjectPath(dir, path)
      if ('refusal' in resolved && resolved.refusal !== 'missing') return false
    }
  }
  return true
}

/** Finishes or takes back a write that was killed; call it with the lock of the history. */
export const recoverWrite = async (dir: string, folder: string): Promise<void> => {
  const text = await readFile(journalPath(folder), 'utf8').catch(() => undefined)
  if (text === undefined) return
  const journal = parseAs(JournalSchema, text)
  // It is replaced at once, so one that cannot be read, or is about other folders, was not written by an edit.
  if (!journal || !(await isInProject(dir, journal))) return rm(journalPath(folder), { force: true })
  if (journal.state === 'prepare') {
    for (const { file, aside } of journal.files) {
      const resolved = await resolveProjectPath(dir, posix.dirname(file))
      const parent = posix.dirname(file) === '.' ? dir : 'file' in resolved ? resolved.file : undefined
      if (parent !== undefined) await rm(join(parent, aside), { force: true })
    }
    return rm(journalPath(folder), { force: true })
  }
  const current = await Promise.all(journal.files.map(({ file }) => digestAt(join(dir, file))))
  const isForeign = journal.files.some(
    ({ before, after }, index) => current[index] !== before && current[index] !== after,
  )
  await (isForeign ? takeBack(dir, folder, journal) : finish(dir, folder, journal, () => {}))
}

const keepContents = async (
  dir: string,
  folder: string,
  { file, content, before, after }: FileWrite,
): Promise<void> => {
  if (content instanceof Uint8Array) await writeBlob(folder, content)
  if (before === null) return
  const path = await writablePath(dir, file)
  // A removed file is given back by a redo, and a changed one by an undo.
  if (after === null) await keepFile(folder, path, before)
  else await writeBlob(folder, await readFile(path))
}

/**
 * Writes all files or none, with an entry of the history; call it with the lock of the history. A kill at any moment
 * leaves what `recoverWrite` finishes or takes back.
 */
export const commitWrite = async (
  dir: string,
  folder: string,
  writes: readonly FileWrite[],
  { entry, head }: { readonly entry: EditEntry; readonly head: Head },
  onStep: StepHook = () => {},
): Promise<void> => {
  const id = randomUUID()
  const files = writes.map(({ file, before, after }, index) => ({
    file,
    aside: `.vid-edit-${id.slice(0, -4)}${String(index).padStart(4, '0')}`,
    before,
    after,
  }))
  const journal: EditJournal = { state: 'prepare', files, entry: entry as EditJournal['entry'], head }
  for (const write of writes) await keepContents(dir, folder, write)
  onStep('prepare')
  await writeRecord(journalPath(folder), journal)
  try {
    for (const [index, { file, content, before, after }] of writes.entries()) {
      onStep(`write ${file}`)
      if (before === null) await makeParent(dir, file)
      const path = await placeOf(dir, file, before !== null)
      const aside = join(dirname(path), files[index]?.aside ?? '')
      const mode = (await stat(path).catch(() => undefined))?.mode
      if (content instanceof Uint8Array) await writeNewFile(aside, content, mode === undefined ? mode : mode & 0o7777)
      else if (content !== null) {
        await copyNewFile(content.from, aside)
        if ((await digestAt(aside)) !== after)
          throw fail('VID_EDIT_CONFLICT', { file: content.from, line: 1, reason: 'it is another file than before' })
      }
    }
  } catch (thrown) {
    await recoverWrite(dir, folder)
    throw thrown
  }
  onStep('commit')
  await writeRecord(journalPath(folder), { ...journal, state: 'commit' })
  await finish(dir, folder, { ...journal, state: 'commit' }, onStep)
  await trimHistory(folder)
}

/** The file that a redo copies from. */
export const keptFile = (folder: string, digest: string): { readonly from: string } => ({
  from: blobPath(folder, digest),
})
