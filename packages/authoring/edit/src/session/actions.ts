import { mergeTexts } from '../diff/merge.ts'
import { fail } from '../errors.ts'
import type { EditEntry, Editor } from '../events.ts'
import { recoverWrite } from '../history/commit.ts'
import { historyFolder, withHistoryLock } from '../history/history-folder.ts'
import { type Direction, travel } from '../history/time-travel.ts'
import { checkOperations } from '../operations/check-operations.ts'
import { openProjectDisk } from '../source/project-disk.ts'
import { type Step, stageOperations } from '../staging/stage.ts'
import { writeStaged } from '../staging/write.ts'
import { forget, readStaged, type SessionState, stagedIn } from './state.ts'

/** Works on the history of a project with its lock, after a killed write was finished or taken back. */
export const withHistory = async <T>(
  { dir, signal }: Pick<SessionState, 'dir' | 'signal'>,
  work: (folder: string) => Promise<T>,
): Promise<T> => {
  const folder = await historyFolder(dir, true)
  return withHistoryLock(folder, signal, async () => {
    await recoverWrite(dir, folder)
    return work(folder)
  })
}

/** Plans operations on what is staged. */
export const planStep = (state: SessionState, operations: readonly unknown[], who: Editor): Promise<Step> =>
  stageOperations(checkOperations(operations), who, {
    staged: stagedIn(state),
    read: (staged) => readStaged(state, staged),
    dir: state.dir,
    signal: state.signal,
  })

/** Writes what is staged. */
export const writeSteps = async (state: SessionState): Promise<EditEntry> => {
  const { disk, entry, steps, signal, onStep } = state
  const record = await withHistory(state, (folder) => writeStaged(disk, entry, folder, steps, { signal, onStep }))
  forget(state)
  return record
}

/** Takes the last entry of the history back, or makes it again. */
export const travelIn = async (state: SessionState, direction: Direction, who: Editor): Promise<EditEntry> => {
  const { dir, steps } = state
  if (steps.length > 0)
    throw fail('VID_EDIT_STAGED', { what: direction === 'undo' ? 'Undo' : 'Redo', steps: steps.length })
  const record = await withHistory(state, (folder) => travel(dir, folder, direction, who))
  forget(state)
  return record
}

/** A step on texts that another program has changed. */
const rebased = (step: Step, { disk }: SessionState, now: ReadonlyMap<string, string | undefined>): Step => {
  const texts = new Map<string, string>()
  for (const [file, text] of step.staged.texts) {
    const current = now.get(file)
    if (current === undefined) throw fail('VID_EDIT_CONFLICT', { file, line: 1, reason: 'it is gone' })
    texts.set(file, mergeTexts(file, disk.known(file)?.text ?? '', text, current))
  }
  return { ...step, staged: { ...step.staged, texts } }
}

/** Reads the files again, and makes what is staged on them. */
export const refreshState = async (state: SessionState): Promise<void> => {
  const fresh = openProjectDisk(state.dir)
  const now = new Map<string, string | undefined>()
  for (const file of new Set(state.steps.flatMap((step) => [...step.staged.texts.keys()])))
    now.set(file, (await fresh.read(file, state.signal))?.text)
  const steps = state.steps.map((step) => rebased(step, state, now))
  forget(state)
  for (const file of now.keys()) await state.disk.read(file, state.signal)
  state.steps = steps
}
