import { computed, effect, signal } from '@preact/signals'
import { gesture } from '../edit/clip-gesture.ts'
import { isEditing } from '../edit/edit-session.ts'
import { pictureGesture } from '../edit/picture-gesture.ts'
import { soundGesture } from '../edit/sound-gesture.ts'
import { isLoading, isPlaying } from '../state/playback.ts'
import { entry, pictureRevision } from '../state/project.ts'
import { stagedPicture } from '../state/staged.ts'
import { edits } from '../state/variables.ts'

/** Whether the page is in use: it plays, loads, is dragged on, or waits for what is staged. */
const isBusy = computed(
  () =>
    isPlaying.value ||
    isLoading.value ||
    isEditing.value ||
    gesture.value !== null ||
    pictureGesture.value !== null ||
    soundGesture.value !== null,
)

/** Identifies the composition that is shown, as it is staged and with the values of its variables. */
export const compositionKey = computed(() =>
  JSON.stringify([entry.value, pictureRevision.value, stagedPicture.value, edits.value]),
)

/** Milliseconds without a change after which a composition is looked at. */
const REST_MS = 1200

/** The composition that has rested, by its key; null while it changes and while the page is in use. */
export const restingKey = signal<string | null>(null)

/** Keeps `restingKey` as the page is used; called once. */
export const followRest = (): void => {
  effect(() => {
    const key = entry.value && !isBusy.value ? compositionKey.value : null
    if (restingKey.peek() !== key) restingKey.value = null
    const timer =
      key === null
        ? undefined
        : setTimeout(() => {
            restingKey.value = key
          }, REST_MS)
    return () => clearTimeout(timer)
  })
}
