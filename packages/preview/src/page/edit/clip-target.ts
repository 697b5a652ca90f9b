import type { ClipFacts, Operation } from '../../edit-api.ts'
import type { TimelineClip } from '../model/clip-rows.ts'
import { edit } from '../state/staged.ts'

/** What an operation is about. */
export type OperationTarget = Extract<Operation, { readonly op: 'remove' }>['target']

/** What the sources hold of a clip of the timeline; undefined for one that a script has made. */
export const factsOf = ({ source }: TimelineClip): ClipFacts | undefined => {
  if (!source) return undefined
  const onLine = (edit.value?.clips ?? []).filter(
    ({ address, line }) => address.file === source.file && line === source.line,
  )
  return onLine.length === 1 ? onLine[0] : onLine.find(({ element }) => element === source.element)
}

/** How an operation names a clip: by its id, which outlives changes of the file, else by its place. */
export const targetOf = ({ address, id }: ClipFacts): OperationTarget => {
  const twins = (edit.peek()?.clips ?? []).filter((clip) => clip.id === id && clip.address.file === address.file)
  return id === null || twins.length > 1 || /\s/.test(id) ? address : `${address.file}#${id}`
}

const MICRO = 1e6

/** Seconds without the noise of sums. */
const clean = (seconds: number) => Math.round(seconds * MICRO) / MICRO

/** A time of the whole composition in the time of the composition that a clip stands in; undefined where that is not known. */
export const localTime = (clip: TimelineClip, { start }: ClipFacts, seconds: number): number | undefined =>
  start === null ? undefined : Math.max(0, clean(start + seconds - clip.start))

/** Where an operation moves something to, or by how much where its time is not known. */
export const shiftTo = (clip: TimelineClip, facts: ClipFacts, seconds: number, from: number) => {
  const to = localTime(clip, facts, seconds)
  return to === undefined ? { by: clean(seconds - from) } : { to }
}
