import { batch, computed, effect, signal } from '@preact/signals'
import { API } from '../../api-paths.ts'
import type { InspectBody, Inspection, Operation } from '../../edit-api.ts'
import { details, entry } from '../state/project.ts'
import { failureOf, sendJson } from '../state/server.ts'
import { edit } from '../state/staged.ts'
import { selectedClip } from '../state/timeline.ts'
import { lockOf } from './clip-edits.ts'
import { factsOf, type OperationTarget, targetOf } from './clip-target.ts'
import { stage } from './edit-session.ts'

/** An element that was chosen on the picture, or by a finding. */
export interface PickedElement {
  readonly target: InspectBody['target']
  /** Where it is in the page, as boxes have it; null where only its selector is known. */
  readonly path: string | null
  readonly selector: string | null
}

/** The element that was chosen; null while the selected clip is the element. */
export const picked = signal<PickedElement | null>(null)

/** What the sources hold of the selected element; null for none, and for one that they do not hold. */
export const inspection = signal<Inspection | null>(null)

/** Why the selected element cannot be inspected; empty while it can. */
export const inspectError = signal('')

const clipTarget = computed((): OperationTarget | undefined => {
  const clip = selectedClip.value
  const facts = clip && factsOf(clip)
  return facts && targetOf(facts)
})

/** How an operation names the selected element; undefined for none, and until its place in the sources is known. */
export const selectedTarget = computed((): OperationTarget | undefined => {
  if (picked.value === null) return clipTarget.value
  const { target } = picked.value
  return typeof target === 'string' ? target : inspection.value?.address
})

/** Why nothing is inspected although something is selected; undefined where it can be. */
const reason = computed(() => {
  const clip = selectedClip.value
  return picked.value === null && clip ? lockOf(clip) : undefined
})

/** The text of the selected element, to be changed: that of a variable that it shows is its default. */
export const elementText = computed((): string => {
  const { value = '', variable = null } = inspection.value?.text ?? {}
  const declared = details.value?.variables.find(({ id }) => id === variable)
  return declared ? String(declared.default) : value
})

const show = (facts: Inspection | null, error: string) =>
  batch(() => {
    inspection.value = facts
    inspectError.value = error
  })

/** Reads what the sources hold of an element. */
export const readElement = (target: InspectBody['target'], signal: AbortSignal): Promise<Inspection> => {
  const body: InspectBody = { entry: entry.peek(), target }
  return sendJson<Inspection>(API.inspect, body, signal)
}

const inspect = async (target: InspectBody['target'], signal: AbortSignal) => {
  try {
    show(await readElement(target, signal), '')
  } catch (thrown) {
    if (signal.aborted) return
    const { message, hint } = failureOf(thrown)
    show(null, `${message} ${hint}`)
  }
}

/** Inspects the selected element whenever another one is selected, or what is staged changes. */
export const followSelection = (): void => {
  effect(() => {
    // A clip that is selected is the element again.
    if (selectedClip.value) picked.value = null
  })
  effect(() => {
    const target = picked.value?.target ?? (clipTarget.value as InspectBody['target'] | undefined)
    const stop = new AbortController()
    if (target && edit.value) void inspect(target, stop.signal)
    else show(null, reason.value ?? '')
    return () => stop.abort()
  })
}

/** An operation without the element that it is about. */
type Part = Operation extends infer O ? (O extends { readonly target: unknown } ? Omit<O, 'target'> : never) : never

/** Changes the selected element. */
export const change = (...parts: readonly Part[]): Promise<boolean> => {
  const target = selectedTarget.value
  return target ? stage(parts.map((part) => ({ ...part, target }) as Operation)) : Promise.resolve(false)
}
