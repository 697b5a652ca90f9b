import { parseStart } from '@vid/core'
import { labelOf, lineOf } from '@vid/core/source-model'
import { noteScripts } from '../follow/clip-scripts.ts'
import { noteMentions } from '../follow/mentions.ts'
import { noteStyleMotion } from '../follow/style-motion.ts'
import type { OperationOf } from '../operations/operation.ts'
import type { AttributeEdit } from '../patch/edit.ts'
import { addAttribute, addEdit, emptyPlan, type Plan } from '../patch/plan.ts'
import { clipsInside, followersOf, type SourceClip, secondsText, startAfter } from '../source/clips.ts'
import { withDescendants } from '../source/locate.ts'
import type { Sources } from '../source/sources.ts'
import { type OperationContext, refuse, requireClip } from './context.ts'
import { type CopyNames, nameCopy, renameCopy, styleCopy } from './copy-clip.ts'
import { splitSound } from './split-sound.ts'
import { freeTrack, trackName } from './tracks.ts'
import { isPlayed, mediaStartLater, requireUncounted, setLength } from './trim.ts'

/** The edits of a copy, where later ones of the same attribute win. */
const lastOf = (edits: readonly AttributeEdit[]): readonly AttributeEdit[] =>
  edits.filter(
    ({ element, name }, index) =>
      !edits.some((other, place) => place > index && other.element === element && other.name === name),
  )

const set = ({ element }: SourceClip, name: string, value: string): AttributeEdit => ({
  kind: 'attribute',
  element,
  name,
  value,
})

const noteCopy = (plan: Plan, sources: Sources, clip: SourceClip, copy: string): void => {
  noteScripts(
    plan,
    sources,
    clip,
    (names) => `The animation of ${names} is not of ${copy}, unless its selector fits it.`,
  )
  noteMentions(plan, sources, clip, withDescendants(clip.element), `${copy} has names of its own`)
}

/** Lets the clips that start after a clip start after its second part. */
const moveFollowers = (plan: Plan, clip: SourceClip, names: CopyNames): void => {
  const inside = new Set(clipsInside(clip).map(({ element }) => element))
  const taken = new Set(clip.scope.clips.flatMap((other) => other.names))
  for (const follower of followersOf(clip)) {
    const start = parseStart(follower.clip.start, (name) => taken.has(name))
    const after = 'after' in start ? names.get(start.after) : undefined
    if (inside.has(follower.element) || after === undefined || !('after' in start)) continue
    const text = startAfter(after, start.offset)
    const name = labelOf(follower.element)
    addAttribute(plan, 'follows', follower, ['data-start', text], `${name} starts at "${text}", after the second part.`)
  }
}

/** Plans `split`. */
export const planSplit = (operation: OperationOf<'split'>, context: OperationContext): Plan => {
  const { sources } = context
  const { at, id } = operation
  const plan = emptyPlan()
  const clip = requireClip(context, 'split', operation.target)
  const { element, start, end } = clip
  const name = labelOf(element)
  requireUncounted('split', clip)
  if (start === null)
    throw refuse('split', name, 'its start depends on an end that only the page knows', 'Give it a start in seconds.')
  if (at <= start + 1e-9 || (end !== null && at >= end - 1e-9))
    throw refuse(
      'split',
      name,
      `${secondsText(at)} s is not inside of it (${secondsText(start)}–${end === null ? 'its end' : `${secondsText(end)} s`})`,
      'Choose a time between its start and its end.',
    )
  const inner = clipsInside(clip).find((other) => isPlayed(other.element))
  if (inner)
    throw refuse(
      'split',
      name,
      `it holds ${labelOf(inner.element)}, which would be heard twice`,
      'Split that one, or move it out.',
    )
  const names = nameCopy(context, 'split', element, id)
  const length: AttributeEdit[] =
    clip.clip.duration === null || end === null ? [] : [set(clip, 'data-duration', secondsText(end - at))]
  const media = isPlayed(element)
    ? [set(clip, ...mediaStartLater('split', clip, at - start)), ...splitSound(plan, clip, at)]
    : []
  const edits = lastOf([
    ...renameCopy(element, names, id),
    set(clip, 'data-start', secondsText(at)),
    ...length,
    ...media,
  ])
  addEdit(plan, clip.file.file, { kind: 'copy', element, edits })
  plan.changes.push({ file: clip.file.file, line: lineOf(element), text: `${name} is split at ${secondsText(at)} s.` })
  setLength(plan, clip, start, at)
  moveFollowers(plan, clip, names)
  styleCopy(plan, sources, clip, names)
  noteCopy(plan, sources, clip, 'the second part')
  noteStyleMotion(plan, sources, clip, 'begins again in the second part')
  return plan
}

/** The track of a copy, where that of its original is not free then. */
const otherTrack = (clip: SourceClip, start: number): AttributeEdit | undefined => {
  const name = trackName(clip)
  if (name === undefined) return undefined
  const end = clip.end === null || clip.start === null ? null : start + clip.end - clip.start
  const track = freeTrack(clip.scope, clip.clip.track, { start, end })
  return track === clip.clip.track ? undefined : set(clip, name, String(track))
}

/** The starts of the clips in a copy that begins later by a time. */
const startsInCopy = (clip: SourceClip, names: CopyNames, deltaSeconds: number): readonly AttributeEdit[] =>
  clipsInside(clip).flatMap((inner) => {
    const start = parseStart(inner.clip.start, (name) => names.has(name))
    // One that refers to a part of the copy follows it.
    if (inner.start === null || ('after' in start && names.has(start.after))) return []
    const end =
      inner.clip.duration === null && inner.clip.end !== null
        ? [set(inner, 'data-end', secondsText(inner.clip.end + deltaSeconds))]
        : []
    return [set(inner, 'data-start', secondsText(Math.max(0, inner.start + deltaSeconds))), ...end]
  })

/** Plans `duplicate`. */
export const planDuplicate = (operation: OperationOf<'duplicate'>, context: OperationContext): Plan => {
  const { sources } = context
  const { id } = operation
  const plan = emptyPlan()
  const clip = requireClip(context, 'duplicate', operation.target)
  const { element, end } = clip
  const name = labelOf(element)
  const at = operation.at ?? end
  if (at === null || clip.start === null)
    throw refuse('duplicate', name, 'only the page knows where it ends', 'Say when the copy begins, as "at".')
  const deltaSeconds = at - clip.start
  const names = nameCopy(context, 'duplicate', element, id)
  const track = otherTrack(clip, at)
  const isEnd = clip.clip.duration === null && clip.clip.end !== null
  const edits = lastOf([
    ...renameCopy(element, names, id),
    set(clip, 'data-start', secondsText(at)),
    ...(isEnd ? [set(clip, 'data-end', secondsText((clip.clip.end ?? 0) + deltaSeconds))] : []),
    ...(track ? [track] : []),
    ...startsInCopy(clip, names, deltaSeconds),
  ])
  addEdit(plan, clip.file.file, { kind: 'copy', element, edits })
  const onTrack = track ? `, on track ${track.value}` : ''
  plan.changes.push({
    file: clip.file.file,
    line: lineOf(element),
    text: `A copy of ${name} starts at ${secondsText(at)} s${onTrack}.`,
  })
  styleCopy(plan, sources, clip, names)
  noteCopy(plan, sources, clip, 'the copy')
  return plan
}
