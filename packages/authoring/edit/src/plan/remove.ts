import { labelOf, lineOf } from '@vid/core/source-model'
import { noteScripts } from '../follow/clip-scripts.ts'
import { noteMentions } from '../follow/mentions.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addAttribute, addEdit, addNote, emptyPlan, type Plan } from '../patch/plan.ts'
import { clipOf, clipsOf, followersOf, type SourceClip, scopesIn, secondsText } from '../source/clips.ts'
import { withDescendants } from '../source/locate.ts'
import { type OperationContext, refuse, requireInner } from './context.ts'
import { noteStructure } from './order.ts'

/** Gives the clips that start after a removed one the time that this was. */
const freeFollowers = (plan: Plan, removed: SourceClip, isRemoved: (clip: SourceClip) => boolean): void => {
  for (const follower of followersOf(removed)) {
    if (isRemoved(follower)) continue
    const name = labelOf(follower.element)
    if (follower.start === null)
      throw refuse(
        'remove',
        labelOf(removed.element),
        `${name} starts after it ("${follower.clip.start}"), at a time that only the page knows`,
        `Give ${name} a start in seconds first.`,
      )
    const text = secondsText(follower.start)
    addAttribute(
      plan,
      'follows',
      follower,
      ['data-start', text],
      `${name} starts at ${text} instead of "${follower.clip.start}".`,
    )
  }
}

/** Says that a composition which states no length may have been as long as a removed clip. */
const noteLength = (plan: Plan, { file, element, scope }: SourceClip): void => {
  const { duration, holder } = scope
  if (duration !== null) return
  addNote(plan, {
    kind: 'structure',
    file: file.file,
    line: lineOf(holder),
    text: `${labelOf(holder)} has no data-duration, and may have been as long as ${labelOf(element)}.`,
  })
}

/** Plans `remove`. */
export const planRemove = (operation: OperationOf<'remove'>, context: OperationContext): Plan => {
  const { sources } = context
  const plan = emptyPlan()
  const place = requireInner(context, 'remove', operation.target)
  const { file, element } = place
  const removed = new Set(withDescendants(element))
  const name = labelOf(element)
  addEdit(plan, file.file, { kind: 'remove', element })
  plan.changes.push({ file: file.file, line: lineOf(element), text: `${name} is removed.` })
  for (const clip of scopesIn(file).flatMap((scope) => clipsOf(scope)))
    if (removed.has(clip.element)) freeFollowers(plan, clip, (other) => removed.has(other.element))
  const clip = clipOf(file, element)
  if (clip) {
    noteScripts(plan, sources, clip, (names) => `The animation of ${names} may have nothing left to move.`)
    noteLength(plan, clip)
  }
  noteMentions(plan, sources, place, removed, 'it will not find the element')
  noteStructure(plan, sources, place)
  return plan
}
