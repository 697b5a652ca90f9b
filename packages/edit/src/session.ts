import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findProject, readEntryText } from '@vid/core'
import { filesOf } from '@vid/core/source-model'
import type { EditEntry, Editor, EditReceipt } from '@vid/kernel'
import { fail } from './errors.ts'
import { recoverWrite, type StepHook } from './history/commit.ts'
import { historyFolder, withHistoryLock } from './history/history-folder.ts'
import { readEntries, readHead } from './history/store.ts'
import { type Direction, travel } from './history/time-travel.ts'
import { type ClipFacts, clipFacts, type ElementFacts, inspectElement } from './inspect/inspect.ts'
import { checkOperations } from './operations/check-operations.ts'
import type { Target } from './operations/operation.ts'
import { openProjectDisk } from './source/project-disk.ts'
import { bytesOfText } from './source/source-text.ts'
import { readSources, type Sources, type Staged, stagedFiles } from './source/sources.ts'
import { mergeTexts } from './staging/merge.ts'
import { type Step, stageOperations } from './staging/stage.ts'
import { unifiedDiff } from './staging/unified-diff.ts'
import { writeStaged } from './staging/write.ts'

/** The staged content of a file. */
export type StagedFile =
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'copy'; readonly from: string; readonly digest: string; readonly size: number }

/** How a session is opened. */
export interface EditOptions {
  /** File of the composition in the project; index.html by default. */
  readonly entry?: string
  readonly signal?: AbortSignal | undefined
  /** Called before each step of a write; a test stops the process there. */
  readonly onStep?: StepHook
}

/** Edits of one composition, staged and then written. */
export interface EditSession {
  readonly projectDir: string
  readonly entry: string
  stage(operations: readonly unknown[], options: { readonly who: Editor }): Promise<EditReceipt>
  preview(operations: readonly unknown[]): Promise<{ readonly receipt: EditReceipt; readonly diff: string }>
  steps(): readonly EditReceipt[]
  diff(): string
  files(): ReadonlyMap<string, StagedFile>
  digest(file: string): Promise<string | undefined>
  inspect(target: Target): Promise<ElementFacts>
  clips(): Promise<readonly ClipFacts[]>
  write(): Promise<EditEntry>
  discard(steps?: number): void
  refresh(): Promise<void>
  undo(who: Editor): Promise<EditEntry>
  redo(who: Editor): Promise<EditEntry>
  /** How many entries can be taken back, and made again. */
  position(): Promise<{ readonly undoable: number; readonly redoable: number }>
  log(): Promise<readonly EditEntry[]>
}

const NOTHING: Staged = { texts: new Map(), copies: new Map() }

/** Runs work one after the other. */
const createQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work)
    last = result.catch(() => {})
    return result
  }
}

/** Opens a composition for edits; finishes, or takes back, a write that was killed. */
export const openEdit = async (
  projectDir: string,
  { entry = 'index.html', signal, onStep }: EditOptions = {},
): Promise<EditSession> => {
  const dir = await findProject(projectDir)
  const queue = createQueue()
  const locked = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
    const folder = await historyFolder(dir, true)
    return withHistoryLock(folder, signal, async () => {
      await recoverWrite(dir, folder)
      return work(folder)
    })
  }
  if (existsSync(join(await historyFolder(dir, false), 'journal.json'))) await locked(async () => {})
  const { file } = await readEntryText(dir, entry, signal ? { signal } : {})
  const disk = openProjectDisk(dir)
  const { has } = filesOf(dir, signal)
  let steps: readonly Step[] = []
  const sources = new WeakMap<Staged, Promise<Sources>>()
  const staged = () => steps.at(-1)?.staged ?? NOTHING
  const read = (state: Staged): Promise<Sources> => {
    const reading = sources.get(state) ?? readSources(disk, file, state, stagedFiles(disk, state, has, signal), signal)
    sources.set(state, reading)
    return reading
  }
  const forget = () => {
    disk.forget()
    sources.delete(NOTHING)
    steps = []
  }
  const diffOf = (from: Staged, to: Staged): string =>
    [...to.texts]
      .map(([name, text]) => unifiedDiff(name, from.texts.get(name) ?? disk.known(name)?.text ?? '', text))
      .join('') +
    [...to.copies]
      .filter(([name]) => !from.copies.has(name))
      .map(([name, { bytes }]) => `--- /dev/null\n+++ b/${name}\nBinary file of ${bytes} bytes\n`)
      .join('')
  const plan = (operations: readonly unknown[], who: Editor) =>
    stageOperations(checkOperations(operations), who, { staged: staged(), read, dir, signal })
  const timeTravel = (direction: Direction, who: Editor) =>
    queue(async () => {
      if (steps.length > 0)
        throw fail('VID_EDIT_STAGED', { what: direction === 'undo' ? 'Undo' : 'Redo', steps: steps.length })
      const entryOfHistory = await locked((folder) => travel(dir, folder, direction, who))
      forget()
      return entryOfHistory
    })

  return {
    projectDir: dir,
    entry: file,
    stage: (operations, { who }) =>
      queue(async () => {
        const step = await plan(operations, who)
        if (step.receipt.files.length > 0) steps = [...steps, step]
        return step.receipt
      }),
    preview: (operations) =>
      queue(async () => {
        const step = await plan(operations, { kind: 'command', name: 'preview' })
        return { receipt: step.receipt, diff: diffOf(staged(), step.staged) }
      }),
    steps: () => steps.map(({ receipt }) => receipt),
    diff: () => diffOf(NOTHING, staged()),
    files() {
      const { texts, copies } = staged()
      return new Map<string, StagedFile>([
        ...[...texts].map(([name, text]): [string, StagedFile] => [
          name,
          { kind: 'text', bytes: bytesOfText({ text, hasMark: disk.known(name)?.hasMark ?? false }) },
        ]),
        ...[...copies].map(([name, { from, digest, bytes }]): [string, StagedFile] => [
          name,
          { kind: 'copy', from, digest, size: bytes },
        ]),
      ])
    },
    digest: (name) => queue(async () => (await read(staged())).digestOf(name)),
    inspect: (target) => queue(async () => inspectElement(await read(staged()), target)),
    clips: () => queue(async () => clipFacts(await read(staged()))),
    write: () =>
      queue(async () => {
        const record = await locked((folder) => writeStaged(disk, file, folder, steps, { signal, onStep }))
        forget()
        return record
      }),
    discard(count = steps.length) {
      steps = steps.slice(0, Math.max(0, steps.length - count))
    },
    refresh: () =>
      queue(async () => {
        const fresh = openProjectDisk(dir)
        const files = new Set(steps.flatMap((step) => [...step.staged.texts.keys()]))
        const news = await Promise.all([...files].map(async (name) => [name, await fresh.read(name, signal)] as const))
        const rebased = steps.map((step) => ({
          ...step,
          staged: {
            copies: step.staged.copies,
            texts: new Map(
              news.flatMap(([name, now]) => {
                const text = step.staged.texts.get(name)
                if (text === undefined) return []
                if (!now) throw fail('VID_EDIT_CONFLICT', { file: name, line: 1, reason: 'it is gone' })
                return [[name, mergeTexts(name, disk.known(name)?.text ?? '', text, now.text)]]
              }),
            ),
          },
        }))
        forget()
        for (const name of files) await disk.read(name, signal)
        steps = rebased
      }),
    undo: (who) => timeTravel('undo', who),
    redo: (who) => timeTravel('redo', who),
    position: async () => {
      const { done, undone } = await readHead(await historyFolder(dir, false))
      return { undoable: done.length, redoable: undone.length }
    },
    log: async () => readEntries(await historyFolder(dir, false)),
  }
}
