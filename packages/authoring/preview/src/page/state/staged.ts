import { computed, signal } from '@preact/signals'
import type { EditState } from '../../edit-api.ts'

/** What is staged of the shown composition; null until the server has answered, and while it cannot be edited. */
export const edit = signal<EditState | null>(null)

/** The timed elements as they are staged; null while they are not known. */
export const stagedTree = computed(() => edit.value?.tree ?? null)

/** Counts the changes that the picture has to follow; null before the first state. */
export const stagedPicture = computed(() => edit.value?.picture ?? null)
