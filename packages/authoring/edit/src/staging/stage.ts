import type { Editor, EditReceipt } from '../events.ts'
import type { Operation } from '../operations/operation.ts'
import { applyEdits } from '../patch/apply-edits.ts'
import { addNote, emptyPlan, type Plan } from '../patch/plan.ts'
import type { OperationContext } from '../plan/context.ts'
import { planOperation } from '../plan/plan-operation.ts'
import { writablePath } from '../source/project-disk.ts'
import type { Sources, Staged } from '../source/sources.ts'
import { type AddressedOperations, addressOperations, type FollowOffset } from './addresses.ts'
import { checkEdit } from './check-edit.ts'
import { requireSameMediaTime } from './media-time.ts'
import { windowChanges } from './windows.ts'

/** Operations that are staged together, with what they make of the sources. */
export interface Step {
  readonly operations: readonly Operation[]
  readonly who: Editor
  readonly receipt: EditReceipt
  readonly staged: Staged
  /** Where elements of the files that it changes begin after it. */
  readonly moved: ReadonlyMap<string, FollowOffset>
}

/** How sources are read with what is staged. */
export type ReadSources = (staged: Staged) => Promise<Sources>

/** Offsets after one change and then another one. */
const afterBoth =
  (first: FollowOffset | undefined, second: FollowOffset): FollowOffset =>
  (offset) => {
    const between = first ? first(offset) : offset
    return between === undefined ? undefined : second(between)
  }

/** What is staged after a plan, in which the addresses of operations are taken along. */
const stagedAfter = (staged: Staged, sources: Sources, plan: Plan, follow: AddressedOperations['follow']): Staged => {
  const texts = new Map(staged.texts)
  for (const [file, edits] of plan.edits) {
    const { text, offsetAfter } = applyEdits(file, sources.textOf(file) ?? '', edits)
    texts.set(file, text)
    follow(file, offsetAfter)
  }
  return { texts, copies: new Map([...staged.copies, ...plan.copies]) }
}

/** Adds a plan to those before it. */
const addPlan = (total: Plan, { edits, copies, changes, follows, notes }: Plan): void => {
  for (const [file, list] of edits) total.edits.set(file, [...(total.edits.get(file) ?? []), ...list])
  for (const [file, copy] of copies) total.copies.set(file, copy)
  total.changes.push(...changes)
  total.follows.push(...follows)
  for (const note of notes) addNote(total, note)
}

/** Says of files that are shown several times that the change shows in each. */
const noteShared = (total: Plan, sources: Sources, files: Iterable<string>): void => {
  for (const file of files) {
    const count = sources.instancesOf(file)
    if (count > 1)
      addNote(total, {
        kind: 'shared',
        file,
        line: 1,
        text: `${file} is embedded ${count} times; the change shows in each.`,
      })
    const pages = sources.project.files.filter(({ sheets, scripts }) =>
      [...sheets, ...scripts].some((part) => part.file === file && part.span === null),
    )
    if (pages.length > 1)
      addNote(total, {
        kind: 'shared',
        file,
        line: 1,
        text: `${file} is used by ${pages.map((page) => page.file).join(', ')}.`,
      })
  }
}

/** Says which clips move although nothing of theirs is changed: they start after one that did. */
const noteFollowers = (total: Plan, windows: EditReceipt['windows']): void => {
  for (const { element, file, line, before, after } of windows) {
    const isSaid = [...total.changes, ...total.follows].some((place) => place.text.startsWith(element))
    if (isSaid || !before || !after || before.start === after.start) continue
    const shown = (seconds: number | null) => (seconds === null ? 'a time that only the page knows' : `${seconds} s`)
    total.follows.push({
      file,
      line,
      text: `${element} moves along, from ${shown(before.start)} to ${shown(after.start)}.`,
    })
  }
}

const digests = (before: Sources, after: Sources, total: Plan): EditReceipt['files'] => [
  ...[...total.edits.keys()].flatMap((file) => {
    const entry = { file, before: before.digestOf(file) ?? null, after: after.digestOf(file) ?? null }
    return entry.before === entry.after ? [] : [entry]
  }),
  ...[...total.copies].map(([file, { digest }]) => ({ file, before: null, after: digest })),
]

/**
 * Plans operations one after the other, each on what those before it made, with addresses of the sources before all of
 * them; refuses what would break the composition.
 */
export const stageOperations = async (
  operations: readonly Operation[],
  who: Editor,
  {
    staged,
    read,
    dir,
    signal,
  }: Pick<OperationContext, 'dir' | 'signal'> & { readonly staged: Staged; readonly read: ReadSources },
): Promise<Step> => {
  const before = await read(staged)
  const total = emptyPlan()
  let now = staged
  let sources = before
  const addressed = addressOperations(operations, before)
  const moved = new Map<string, FollowOffset>()
  const follow: AddressedOperations['follow'] = (file, offsetAfter) => {
    addressed.follow(file, offsetAfter)
    moved.set(file, afterBoth(moved.get(file), offsetAfter))
  }
  for (const index of addressed.order) {
    signal?.throwIfAborted()
    const plan = await planOperation(addressed.at(index, sources), { sources, dir, signal })
    for (const file of plan.edits.keys()) await writablePath(dir, file)
    now = stagedAfter(now, sources, plan, follow)
    addPlan(total, plan)
    sources = await read(now)
  }
  const windows = windowChanges(before, sources)
  const files = digests(before, sources, total)
  requireSameMediaTime(before, sources)
  const warnings = files.length > 0 ? await checkEdit(before, sources) : []
  for (const { file, line, message } of warnings) addNote(total, { kind: 'lint', file, line, text: message })
  noteShared(total, before, total.edits.keys())
  noteFollowers(total, windows)
  const { changes, follows, notes } = total
  return {
    operations,
    who,
    staged: now,
    moved,
    receipt: { summary: changes.map(({ text }) => text), changes, follows, notes, windows, files },
  }
}
