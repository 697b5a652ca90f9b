import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filesOf } from '@vid/core/source-model'
import { rethrowMachineFault } from '@vid/protocol'
import { digestOf } from '@vid/system'
import { mergeTexts } from '../diff/merge.ts'
import { fail } from '../errors.ts'
import type { EditEntry, Editor } from '../events.ts'
import { commitWrite, type FileWrite, type StepHook } from '../history/commit.ts'
import { readHead } from '../history/store.ts'
import { openProjectDisk, type ProjectDisk, writablePath } from '../source/project-disk.ts'
import { bytesOfText, readSourceText } from '../source/source-text.ts'
import { readSources, type Staged, stagedFiles } from '../source/sources.ts'
import { checkEdit } from './check-edit.ts'
import type { Step } from './stage.ts'

/** The texts to write: those that are staged, with what other programs changed since they were read. */
const mergedTexts = async (disk: ProjectDisk, { texts }: Staged) => {
  const merged = new Map<string, { readonly text: string; readonly write: FileWrite }>()
  let isForeign = false
  for (const [file, text] of texts) {
    const base = disk.known(file)
    const bytes = await readFile(await writablePath(disk.dir, file))
    const current = readSourceText(file, bytes)
    const hasChanged = base !== null && base.digest !== current.digest
    isForeign ||= hasChanged
    const after = hasChanged ? mergeTexts(file, base.text, text, current.text) : text
    const content = bytesOfText({ text: after, hasMark: current.hasMark })
    const write: FileWrite = { file, content, before: digestOf(bytes), after: digestOf(content) }
    if (write.before !== write.after) merged.set(file, { text: after, write })
  }
  return { merged, isForeign }
}

/** The files to copy; VID_EDIT_CONFLICT where another program made one of that name meanwhile. */
const copyWrites = async (dir: string, { copies }: Staged): Promise<readonly FileWrite[]> => {
  for (const file of copies.keys())
    if (await lstat(join(dir, file)).catch(rethrowMachineFault))
      throw fail('VID_EDIT_CONFLICT', { file, line: 1, reason: 'it did not exist before' })
  return [...copies].map(([file, { from, digest }]) => ({ file, content: { from }, before: null, after: digest }))
}

/** Checks a composition with merged texts against the one on the disk. */
const checkMerged = async (dir: string, entry: string, staged: Staged, signal: AbortSignal | undefined) => {
  const disk = openProjectDisk(dir)
  const { has } = filesOf(dir, signal)
  const read = (state: Staged) => readSources(disk, entry, state, stagedFiles(disk, state, has, signal), signal)
  await checkEdit(await read({ texts: new Map(), copies: new Map() }), await read(staged))
}

/** Whose entry it is: a person's where a person has staged a part of it, else of who staged last. */
const writerOf = (steps: readonly Step[], last: Step): Editor =>
  (steps.find(({ who }) => who.kind === 'person') ?? last).who

/** Writes what is staged, with an entry of the history; call it with the lock of the history. */
export const writeStaged = async (
  disk: ProjectDisk,
  entry: string,
  folder: string,
  steps: readonly Step[],
  { signal, onStep }: { readonly signal: AbortSignal | undefined; readonly onStep?: StepHook | undefined },
): Promise<EditEntry> => {
  const last = steps.at(-1)
  if (!last) throw fail('VID_EDIT_NOTHING', { what: 'write' })
  const { staged } = last
  const { merged, isForeign } = await mergedTexts(disk, staged)
  if (isForeign) {
    const texts = new Map([...merged].map(([file, { text }]) => [file, text]))
    await checkMerged(disk.dir, entry, { texts, copies: staged.copies }, signal)
  }
  const writes = [...[...merged.values()].map(({ write }) => write), ...(await copyWrites(disk.dir, staged))]
  if (writes.length === 0) throw fail('VID_EDIT_NOTHING', { what: 'write' })
  signal?.throwIfAborted()
  const head = await readHead(folder)
  const record: EditEntry = {
    id: head.next,
    writtenMs: Date.now(),
    who: writerOf(steps, last),
    summary: steps.flatMap(({ receipt }) => receipt.summary),
    operations: steps.flatMap(({ operations }) => operations),
    files: writes.map(({ file, before, after }) => ({ file, before, after })),
    undone: null,
  }
  const next = { done: [...head.done, head.next], undone: [], next: head.next + 1 }
  await commitWrite(disk.dir, folder, writes, { entry: record, head: next }, onStep)
  return record
}
