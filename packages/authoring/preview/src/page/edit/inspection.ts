import { batch, computed, effect, signal } from '@preact/signals'
import type { ElementInspection, InspectBody, Operation } from '../../edit-api.ts'
import { details, entry } from '../state/project.ts'
import { failureOf } from '../state/server.ts'
import { edit } from '../state/staged.ts'
import { selectedClip, selectedKeys } from '../state/timeline.ts'
import { lockOf } from './clip-edits.ts'
import { editableClips, isSamePlace, type OperationTarget, targetOf } from './clip-target.ts'
import { stagePlanned } from './edit-session.ts'
import { readElement } from './fresh-clips.ts'

/** An element that was chosen on the picture, or by a finding. */
export interface PickedElement {
  readonly target: InspectBody['target']
  /** Where it is in the page, as boxes have it; null where only its selector is known. */
  readonly path: string | null
  readonly selector: string | null
}

/** An element that something is about, whatever is selected later. */
export interface Subject {
  /** The same for one element as long as it is selected. */
  readonly key: string
  readonly entry: string
  readonly target: InspectBody['target']
}

/** What the sources hold of an element, with the element that it is of. */
export interface ElementRead extends ElementInspection {
  readonly subject: Subject
}

/** The element that was chosen; null while the selected clip is the element. */
export const picked = signal<PickedElement | null>(null)

/** What was read last: of this element, and of no other one. */
const lastRead = signal<{ readonly key: string; readonly facts: ElementRead | null; readonly error: string } | null>(
  null,
)

/** The element that is selected, as its selection names it. */
const chosen = computed((): Subject | null => {
  const subject = (kind: string, name: unknown, target: InspectBody['target']): Subject => ({
    key: JSON.stringify([entry.value, kind, name]),
    entry: entry.value,
    target,
  })
  if (picked.value) return subject('element', picked.value.target, picked.value.target)
  const clip = selectedClip.value
  const editable = clip && editableClips.value.get(clip.key)
  return editable ? subject('clip', clip.key, targetOf(editable.facts) as InspectBody['target']) : null
})

const readOf = (subject: Subject | null) =>
  subject && lastRead.value?.key === subject.key ? lastRead.value : undefined

/** What the sources hold of the selected element, perhaps in an earlier version; null for none, and until it is read. */
export const inspection = computed((): ElementRead | null => readOf(chosen.value)?.facts ?? null)

/** The selected element, as it is known best; null for none. */
export const selectedSubject = computed((): Subject | null => inspection.value?.subject ?? chosen.value)

/** Why nothing is inspected although something is selected; undefined where it can be. */
const reason = computed(() => {
  const clip = selectedClip.value
  return picked.value === null && clip ? lockOf(clip) : undefined
})

/** Why the selected element cannot be inspected; empty while it can. */
export const inspectError = computed((): string => reason.value ?? readOf(chosen.value)?.error ?? '')

/** How an operation names the selected element; undefined for none, and until its place in the sources is known. */
export const selectedTarget = computed((): OperationTarget | undefined => {
  const target = selectedSubject.value?.target
  return typeof target === 'string' || (target && 'digest' in target) ? target : undefined
})

/** The text of an element, to be changed: that of a variable that it shows is its default. */
export const textOfElement = ({ text: { value, variable } }: ElementInspection): string => {
  const declared = details.value?.variables.find(({ id }) => id === variable)
  return declared ? String(declared.default) : value
}

const factsOf = async (subject: Subject, signal?: AbortSignal): Promise<ElementRead> => {
  const { target } = subject
  const facts = await readElement(target, signal)
  return { ...facts, subject: { ...subject, target: typeof target === 'string' ? target : facts.address } }
}

/** Keeps the selection on its element where that is another clip of the page now. */
const keepClip = ({ address, version }: ElementRead): void => {
  const clip = selectedClip.peek()
  const editable = clip && editableClips.peek().get(clip.key)
  if (picked.peek() || !clip || editable?.version !== version || isSamePlace(editable.facts.address, address)) return
  const moved = [...editableClips.peek().values()].find(({ facts }) => isSamePlace(facts.address, address))
  selectedKeys.value = selectedKeys.peek().flatMap((key) => (key === clip.key ? (moved?.clip.key ?? []) : key))
}

/** The picture no longer shows an element where it was: until it is chosen again, only the panel shows it. */
const keepBox = (before: ElementRead | null, { address }: ElementRead): void => {
  if (!before || !picked.peek() || before.address.path === address.path) return
  if (typeof before.subject.target !== 'string') picked.value = { target: address, path: null, selector: null }
}

const inspect = async (subject: Subject, signal: AbortSignal) => {
  const before = readOf(subject)?.facts ?? null
  try {
    const facts = await factsOf(before?.subject ?? subject, signal)
    signal.throwIfAborted()
    batch(() => {
      lastRead.value = { key: subject.key, facts, error: '' }
      keepBox(before, facts)
      keepClip(facts)
    })
  } catch (thrown) {
    if (signal.aborted) return
    const { message, hint } = failureOf(thrown)
    lastRead.value = { key: subject.key, facts: null, error: `${message} ${hint}` }
  }
}

/** Inspects the selected element whenever another one is selected, or what is staged changes; called once. */
export const followSelection = (): void => {
  effect(() => {
    // A clip that is selected is the element again.
    if (selectedClip.value) picked.value = null
  })
  effect(() => {
    const subject = chosen.value
    const version = edit.value?.version
    const stop = new AbortController()
    const read = lastRead.peek()
    if (read?.facts && read.key === subject?.key && read.facts.version === version) keepClip(read.facts)
    else if (subject && version !== undefined) void inspect(subject, stop.signal)
    return () => stop.abort()
  })
}

/** An operation without the element that it is about. */
export type Part = Operation extends infer O
  ? O extends { readonly target: unknown }
    ? Omit<O, 'target'>
    : never
  : never

/** Changes an element, whatever is selected by then, by what it is when it is its turn; whether that was accepted. */
export const changeElement = (subject: Subject, make: (facts: ElementRead) => readonly Part[]): Promise<boolean> =>
  stagePlanned(async () => {
    if (subject.entry !== entry.peek()) return null
    const last = lastRead.peek()?.facts
    const isFresh = last?.subject === subject && last.version === edit.peek()?.version
    const facts = isFresh ? last : await factsOf(subject)
    const operations = make(facts).map((part) => ({ ...part, target: facts.subject.target }) as Operation)
    return { operations, version: facts.version }
  })
