import type { Clip } from '@vid/core'
import { labelOf } from '@vid/core/source-model'
import { moveScripts } from '../follow/clip-scripts.ts'
import { noteMentions } from '../follow/mentions.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addAttribute, emptyPlan, type Plan } from '../patch/plan.ts'
import { clipsInside, clipsOf, type SourceClip, secondsText, startAt } from '../source/clips.ts'
import { withDescendants } from '../source/locate.ts'
import { type OperationContext, refuse, requireClip } from './context.ts'

/** Rounds until each start of the moved clips fits: a start may wait for one that is written later. */
const MAX_ROUNDS = 50
const EPSILON = 1e-7

/** A clip as it is read with another start and end. */
const withStart = (clip: Clip, start: string, end: number | null): Clip => ({ ...clip, start, end })

/** The older attribute `data-end`, which is a time and not a length. */
const usesEnd = ({ clip }: SourceClip) => clip.duration === null && clip.end !== null

/** The starts as text with which clips begin later by a time; undefined for one that cannot be written. */
const startsLater = (
  moved: readonly SourceClip[],
  deltaSeconds: number,
): ReadonlyMap<SourceClip, string> | undefined => {
  const [first] = moved
  if (!first) return undefined
  const { scope } = first
  const index = new Map(moved.map((clip) => [scope.clips.indexOf(clip.clip), clip]))
  const texts = new Map(moved.map((clip) => [clip, clip.clip.start]))
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const clips = scope.clips.map((clip, place) => {
      const mover = index.get(place)
      if (!mover) return clip
      return withStart(clip, texts.get(mover) ?? clip.start, usesEnd(mover) ? (clip.end ?? 0) + deltaSeconds : clip.end)
    })
    const windows = clipsOf(scope, clips)
    let isSettled = true
    for (const [place, clip] of index) {
      if (clip.start === null) continue
      const startSeconds = clip.start + deltaSeconds
      const window = windows[place]
      if (window?.start !== undefined && window.start !== null && Math.abs(window.start - startSeconds) < EPSILON)
        continue
      const text = startAt(
        clips[place] as Clip,
        clips,
        (target) => windows[clips.indexOf(target)]?.end ?? null,
        startSeconds,
      )
      if (text === undefined) return undefined
      isSettled &&= texts.get(clip) === text
      texts.set(clip, text)
    }
    if (isSettled) return texts
  }
  return undefined
}

/** Moves a clip and the clips inside it, which count from the same composition. */
export const moveClips = (plan: Plan, clip: SourceClip, deltaSeconds: number): void => {
  const inside = clipsInside(clip)
  const texts = startsLater([clip, ...inside], deltaSeconds)
  if (!texts)
    throw refuse(
      'move',
      labelOf(clip.element),
      'its start depends on an element whose end only the page knows',
      'Give that element a data-duration, or this one a start in seconds.',
    )
  for (const [moved, start] of texts) {
    const list = moved === clip ? 'changes' : 'follows'
    const name = labelOf(moved.element)
    if (start !== moved.clip.start)
      addAttribute(
        plan,
        list,
        moved,
        ['data-start', start],
        `${name} starts at ${start} instead of ${moved.clip.start}.`,
      )
    if (!usesEnd(moved)) continue
    const end = secondsText((moved.clip.end ?? 0) + deltaSeconds)
    addAttribute(plan, list, moved, ['data-end', end], `${name} ends at ${end} instead of ${moved.clip.end}.`)
  }
}

/** The time by which a clip is to move. */
export const startDelta = (op: 'move' | 'trim', clip: SourceClip, { by, to }: { by?: number; to?: number }): number => {
  if (clip.start === null)
    throw refuse(
      op,
      labelOf(clip.element),
      `its start "${clip.clip.start}" depends on an element whose end only the page knows`,
      'Give that element a data-duration, or this one a start in seconds.',
    )
  const deltaSeconds = to === undefined ? (by ?? 0) : to - clip.start
  if (clip.start + deltaSeconds < -EPSILON)
    throw refuse(
      op,
      labelOf(clip.element),
      `it would start at ${secondsText(clip.start + deltaSeconds)} s`,
      'A composition begins at 0.',
    )
  return deltaSeconds
}

/** Plans `move`. */
export const planMove = (operation: OperationOf<'move'>, context: OperationContext): Plan => {
  const { sources } = context
  const plan = emptyPlan()
  const clip = requireClip(context, 'move', operation.target)
  const deltaSeconds = startDelta('move', clip, operation)
  if (Math.abs(deltaSeconds) < EPSILON) return plan
  moveClips(plan, clip, deltaSeconds)
  moveScripts(plan, sources, clip, deltaSeconds)
  noteMentions(plan, sources, clip, withDescendants(clip.element), 'see whether its times must move too')
  return plan
}
