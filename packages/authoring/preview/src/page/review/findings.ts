import { computed, effect, signal } from '@preact/signals'
import type { CheckFinding } from '@vid/check/events'
import { API } from '../../api-paths.ts'
import type { FindingsReply } from '../../findings-api.ts'
import { entry } from '../state/project.ts'
import { edits } from '../state/variables.ts'
import { createCompositionWork } from './composition-work.ts'

const KEY = 'vid-preview-checks'

/** Whether the composition is checked whenever it has rested. */
export const isCheckedWhenIdle = signal(localStorage.getItem(KEY) !== 'false')
effect(() => localStorage.setItem(KEY, String(isCheckedWhenIdle.value)))

/** The check of the whole composition, as it is staged. */
export const compositionCheck = createCompositionWork<FindingsReply>({
  path: API.findings,
  body: () => ({ entry: entry.value, variables: edits.value }),
  isAutomatic: () => isCheckedWhenIdle.value,
})

/** Frames that the check has looked at, and how many there are; null before the first. */
export const checkProgress = signal<{ readonly done: number; readonly total: number } | null>(null)

/** Keeps how far a check is. */
export const hearProgress = (event: {
  readonly entry: string
  readonly done: number
  readonly total: number
}): void => {
  if (compositionCheck.isWorking.peek() && event.entry === entry.peek()) checkProgress.value = event
}

/** What the last check has found, in order of time. */
export const findings = computed<readonly CheckFinding[]>(() => compositionCheck.reply.value?.findings ?? [])

/** The finding that was chosen last; null for none. */
export const chosenFinding = signal<CheckFinding | null>(null)

/** Keeps the findings as the composition is; called once. */
export const followFindings = (): void => {
  effect(() => {
    if (!entry.value) return
    compositionCheck.forget()
    chosenFinding.value = null
  })
  effect(() => {
    if (!compositionCheck.isWorking.value) checkProgress.value = null
  })
  compositionCheck.follow()
}
