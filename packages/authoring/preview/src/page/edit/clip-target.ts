import { computed, effect, signal } from '@preact/signals'
import type { ClipFacts, Operation } from '../../edit-api.ts'
import type { TimelineClip } from '../model/clip-rows.ts'
import { isLoading, playerError } from '../state/playback.ts'
import { edit } from '../state/staged.ts'
import { shownClips } from '../state/timeline.ts'
import { isStateRead } from './edit-session.ts'

/** What an operation is about. */
export type OperationTarget = Extract<Operation, { readonly op: 'remove' }>['target']

/** A clip as the page shows it with what the sources hold of it, both of one version. */
export interface EditableClip {
  readonly clip: TimelineClip
  readonly facts: ClipFacts
  readonly version: number
  readonly entry: string
}

/** What the sources hold of a clip of the timeline; undefined for one that a script has made. */
const sourceOf = (clips: readonly ClipFacts[], { source }: TimelineClip): ClipFacts | undefined => {
  if (!source) return undefined
  const onLine = clips.filter(({ address, line }) => address.file === source.file && line === source.line)
  return onLine.length === 1 ? onLine[0] : onLine.find(({ element }) => element === source.element)
}

/** Whether the page shows what is staged: else its clips are those of another version. */
export const isPictureCurrent = computed(() => isStateRead.value && !isLoading.value && playerError.value === null)

/** The clips that the sources hold, by their keys: those of the last picture that was of the state as it was known. */
export const editableClips = signal<ReadonlyMap<string, EditableClip>>(new Map())

/** Pairs the clips of the page with the sources whenever both are of one version; called once. */
export const followClips = (): void => {
  effect(() => {
    const state = edit.value
    if (state === null) editableClips.value = new Map()
    if (state === null || !isPictureCurrent.value) return
    editableClips.value = new Map(
      shownClips.value.flatMap((clip): [string, EditableClip][] => {
        const facts = sourceOf(state.clips, clip)
        return facts ? [[clip.key, { clip, facts, version: state.version, entry: state.entry }]] : []
      }),
    )
  })
}

/** Whether two addresses stand for the same element of the same version. */
export const isSamePlace = (one: ClipFacts['address'], other: ClipFacts['address']): boolean =>
  one.file === other.file && one.path === other.path && one.digest === other.digest

/** How an operation names a clip: by its id, which outlives changes of the file, else by its place. */
export const targetOf = ({ address, id }: ClipFacts): OperationTarget => {
  const twins = (edit.peek()?.clips ?? []).filter((clip) => clip.id === id && clip.address.file === address.file)
  return id === null || twins.length > 1 || /\s/.test(id) ? address : `${address.file}#${id}`
}

const MICRO = 1e6

/** Seconds without the noise of sums. */
const clean = (seconds: number) => Math.round(seconds * MICRO) / MICRO

/** A time of the whole composition in the time of the composition that a clip stands in; undefined where that is not known. */
export const nestedTime = (clip: TimelineClip, { start }: ClipFacts, seconds: number): number | undefined =>
  start === null ? undefined : Math.max(0, clean(start + seconds - clip.start))

/** Where an operation moves something to, or by how much where its time is not known. */
export const shiftTo = (clip: TimelineClip, facts: ClipFacts, seconds: number, from: number) => {
  const to = nestedTime(clip, facts, seconds)
  return to === undefined ? { by: clean(seconds - from) } : { to }
}
