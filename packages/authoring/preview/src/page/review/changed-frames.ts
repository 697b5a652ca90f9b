import { computed, effect, signal } from '@preact/signals'
import { API } from '../../api-paths.ts'
import type { ChangesReply, StateName } from '../../findings-api.ts'
import { entry } from '../state/project.ts'
import { edit } from '../state/staged.ts'
import { edits } from '../state/variables.ts'
import { createCompositionWork } from './composition-work.ts'

/** What the composition is compared with: the files as they are written, or the last commit. */
export type Since = Exclude<StateName, 'staged'>

const KEY = 'vid-preview-since'

/** Since when changed frames are shown. */
export const since = signal<Since>(localStorage.getItem(KEY) === 'head' ? 'head' : 'written')
effect(() => localStorage.setItem(KEY, since.value))

/** Whether there may be another picture than that: nothing is staged on the written state otherwise. */
export const hasOtherState = computed(() => since.value === 'head' || (edit.value?.changes ?? 0) > 0)

/** The comparison of the composition with that state. */
export const comparison = createCompositionWork<ChangesReply>({
  path: API.changes,
  body: () => (hasOtherState.value ? { entry: entry.value, variables: edits.value, since: since.value } : null),
  isAutomatic: () => true,
})

/** The comparison, as far as it is about the composition that is shown. */
export const changedFrames = computed(() =>
  hasOtherState.value && comparison.isCurrent.value ? comparison.reply.value : null,
)

/** Keeps the comparison as the composition is; called once. */
export const followChangedFrames = (): void => {
  effect(() => {
    if (entry.value) comparison.forget()
  })
  comparison.follow()
}
