import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findProject, readEntryText } from '@vid/core'
import { createSequence } from '@vid/protocol'
import type { CommentPin, EditEntry, Editor, EditReceipt } from '../events.ts'
import type { StepHook } from '../history/commit.ts'
import { historyFolder } from '../history/history-folder.ts'
import { readEditEntries, readHead } from '../history/store.ts'
import {
  type ClipFacts,
  clipFacts,
  type ElementAddress,
  type ElementFacts,
  inspectElement,
} from '../inspect/inspect.ts'
import { findPinned, type PinPlace } from '../inspect/pin.ts'
import type { Target } from '../operations/operation.ts'
import { planStep, refreshState, travelIn, withHistory, writeSteps } from './actions.ts'
import { createFollower } from './follower.ts'
import { contentsIn, createState, diffBetween, readStaged, type StagedFile, stagedIn } from './state.ts'

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
  /**
   * The address, in the sources as they are staged, of the element that an address of an earlier state of this session
   * stands for; the address itself where that is not known.
   */
  follow(address: ElementAddress): Promise<ElementAddress>
  /** Where the element of a pin is now; null where it is gone. */
  find(pin: CommentPin): Promise<PinPlace | null>
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

/** Opens a composition for edits; finishes, or takes back, a write that was killed. */
export const openEdit = async (projectDir: string, options: EditOptions = {}): Promise<EditSession> => {
  const { entry = 'index.html', signal } = options
  const dir = await findProject(projectDir)
  if (existsSync(join(await historyFolder(dir, false), 'journal.json')))
    await withHistory({ dir, signal }, async () => {})
  const { file } = await readEntryText(dir, entry, signal ? { signal } : {})
  const state = createState(dir, file, options)
  const queue = createSequence()
  const follower = createFollower()
  const sources = () => readStaged(state, stagedIn(state))
  return {
    projectDir: dir,
    entry: file,
    stage: (operations, { who }) =>
      queue(async () => {
        const before = await sources()
        const step = await planStep(state, operations, who)
        if (step.receipt.files.length > 0) state.steps = [...state.steps, step]
        follower.add(before, await readStaged(state, step.staged), step)
        return step.receipt
      }),
    preview: (operations) =>
      queue(async () => {
        const step = await planStep(state, operations, { kind: 'command', name: 'preview' })
        return { receipt: step.receipt, diff: diffBetween(state, step.staged, stagedIn(state)) }
      }),
    steps: () => state.steps.map(({ receipt }) => receipt),
    diff: () => diffBetween(state, stagedIn(state)),
    files: () => contentsIn(state),
    digest: (name) => queue(async () => (await sources()).digestOf(name)),
    inspect: (target) => queue(async () => inspectElement(await sources(), target)),
    follow: (address) => queue(async () => follower.follow(await sources(), address)),
    find: (pin) => queue(async () => findPinned(await sources(), pin)),
    clips: () => queue(async () => clipFacts(await sources())),
    write: () => queue(() => writeSteps(state)),
    discard(count = state.steps.length) {
      state.steps = state.steps.slice(0, Math.max(0, state.steps.length - count))
    },
    refresh: () => queue(() => refreshState(state)),
    undo: (who) => queue(() => travelIn(state, 'undo', who)),
    redo: (who) => queue(() => travelIn(state, 'redo', who)),
    position: async () => {
      const { done, undone } = await readHead(await historyFolder(dir, false))
      return { undoable: done.length, redoable: undone.length }
    },
    log: async () => readEditEntries(await historyFolder(dir, false)),
  }
}
