import { attributeOf, isHost, labelOf, readNumber } from '@vid/core/source-model'
import { moveFades } from '../follow/clip-scripts.ts'
import { noteStyleMotion } from '../follow/style-motion.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addAttribute, addNote, emptyPlan, type Plan } from '../patch/plan.ts'
import { clipsInside, clipsOf, type SourceClip, secondsText, startAt } from '../source/clips.ts'
import { type Located, locate } from '../source/locate.ts'
import { type OperationContext, refuse, requireClip } from './context.ts'
import { startDelta } from './move.ts'

/** Whether an element plays a source in time. */
export const isPlayed = ({ tagName }: Located['element']) => tagName === 'video' || tagName === 'audio'

/** The rate at which media plays. */
const rateOf = ({ element }: Located) => {
  const rate = readNumber(attributeOf(element, 'data-playback-rate'))
  return rate !== null && rate > 0 ? rate : 1
}

const mediaStartName = ({ element }: Located) =>
  attributeOf(element, 'data-playback-start') !== null && attributeOf(element, 'data-media-start') === null
    ? 'data-playback-start'
    : 'data-media-start'

/** The attribute of the media's start for a clip that begins later, and its value. */
export const mediaStartLater = (
  op: 'trim' | 'split',
  clip: SourceClip,
  deltaSeconds: number,
): readonly [name: string, value: string] => {
  const { element } = clip
  if (attributeOf(element, 'loop') !== null)
    throw refuse(
      op,
      labelOf(element),
      'it loops, so only the player knows which part of its source is heard or seen then',
      'Remove the loop, or place several clips one after another.',
    )
  const seconds = clip.clip.mediaStart + deltaSeconds * rateOf(clip)
  if (seconds < -1e-9)
    throw refuse(
      op,
      labelOf(element),
      `its source has only ${secondsText(clip.clip.mediaStart / rateOf(clip))} s before its start`,
      'Move the clip instead.',
    )
  return [mediaStartName(clip), secondsText(Math.max(0, seconds))]
}

/** Refuses to cut the beginning of what counts from its own start. */
export const requireUncounted = (op: 'trim' | 'split', clip: SourceClip): void => {
  if (!isHost(clip.element)) return
  throw refuse(
    op,
    labelOf(clip.element),
    'the time of the composition in it counts from its start, so its content would move',
    'Change the clips inside of that composition.',
  )
}

/** The length of a clip as a change of its attributes. */
export const setLength = (plan: Plan, clip: SourceClip, start: number, end: number): void => {
  const { element, clip: written } = clip
  const isEnd = written.duration === null && written.end !== null
  const name = isEnd ? 'data-end' : 'data-duration'
  const value = secondsText(isEnd ? end : end - start)
  const before = attributeOf(element, name)
  if (before?.trim() === value) return
  const text = `${labelOf(element)} has ${name}="${value}"${before === null ? '' : ` instead of "${before}"`}.`
  addAttribute(plan, 'changes', clip, [name, value], text)
}

const trimStart = (
  plan: Plan,
  { sources }: OperationContext,
  clip: SourceClip,
  operation: OperationOf<'trim'>,
): void => {
  requireUncounted('trim', clip)
  const deltaSeconds = startDelta('trim', clip, operation)
  if (Math.abs(deltaSeconds) < 1e-7) return
  const start = (clip.start ?? 0) + deltaSeconds
  if (clip.end !== null && start >= clip.end - 1e-9)
    throw refuse(
      'trim',
      labelOf(clip.element),
      `nothing would be left of it after ${secondsText(clip.end)} s`,
      'Remove it instead.',
    )
  const ends = new Map(clipsOf(clip.scope).map((other) => [other.clip, other.end]))
  const text = startAt(clip.clip, clip.scope.clips, (other) => ends.get(other) ?? null, start)
  if (text === undefined)
    throw refuse(
      'trim',
      labelOf(clip.element),
      'its start depends on an end that only the page knows',
      'Give it a start in seconds.',
    )
  const name = labelOf(clip.element)
  addAttribute(plan, 'changes', clip, ['data-start', text], `${name} starts at ${text} instead of ${clip.clip.start}.`)
  if (clip.clip.duration !== null && clip.end !== null) setLength(plan, clip, start, clip.end)
  if (!isPlayed(clip.element)) return
  const [media, value] = mediaStartLater('trim', clip, deltaSeconds)
  addAttribute(plan, 'follows', clip, [media, value], `${name} plays its source from ${value} s.`)
  moveFades(plan, sources, clip, { edge: 'start', at: clip.start ?? 0, deltaSeconds })
}

const trimEnd = (
  plan: Plan,
  { sources }: OperationContext,
  clip: SourceClip,
  { by, to }: OperationOf<'trim'>,
): void => {
  const name = labelOf(clip.element)
  if (clip.start === null)
    throw refuse('trim', name, 'its start depends on an end that only the page knows', 'Give it a start in seconds.')
  if (to === undefined && clip.end === null)
    throw refuse('trim', name, 'the source does not say where it ends', 'Give the time of the end itself, as "to".')
  const end = to ?? (clip.end ?? 0) + (by ?? 0)
  if (end <= clip.start + 1e-9)
    throw refuse('trim', name, `nothing would be left of it before ${secondsText(clip.start)} s`, 'Remove it instead.')
  setLength(plan, clip, clip.start, end)
  if (clip.end !== null) moveFades(plan, sources, clip, { edge: 'end', at: clip.end, deltaSeconds: end - clip.end })
}

/** Changes the length of a composition. */
const trimRoot = ({ file, element }: Located, { edge, by, to }: OperationOf<'trim'>): Plan => {
  const plan = emptyPlan()
  const name =
    attributeOf(element, 'data-duration') === null && attributeOf(element, 'data-end') !== null
      ? 'data-end'
      : 'data-duration'
  const before = readNumber(attributeOf(element, name))
  const refuseRoot = (reason: string, advice: string) => refuse('trim', labelOf(element), reason, advice)
  if (edge === 'start') throw refuseRoot('a composition begins at 0', 'Move its clips instead.')
  if (to === undefined && before === null)
    throw refuseRoot('the source does not say how long it is', 'Give the length itself, as "to".')
  const length = to ?? (before ?? 0) + (by ?? 0)
  if (length <= 0) throw refuseRoot('nothing would be left of it', 'Give a length above 0.')
  const value = secondsText(length)
  const text = `${labelOf(element)} is ${value} s long${before === null ? '' : ` instead of ${before} s`}.`
  addAttribute(plan, 'changes', { file, element }, [name, value], text)
  return plan
}

/** Plans `trim`. */
export const planTrim = (operation: OperationOf<'trim'>, context: OperationContext): Plan => {
  const place = locate(context.sources, operation.target)
  if (place.element === place.file.root) return trimRoot(place, operation)
  const plan = emptyPlan()
  const clip = requireClip(context, 'trim', operation.target)
  if (operation.edge === 'end') trimEnd(plan, context, clip, operation)
  else {
    trimStart(plan, context, clip, operation)
    if (!isPlayed(clip.element))
      noteStyleMotion(plan, context.sources, clip, 'counts from the start of its clip and begins with it')
    if (clipsInside(clip).length > 0)
      addNote(plan, {
        kind: 'structure',
        file: clip.file.file,
        line: clip.clip.line,
        text: `The clips inside of ${labelOf(clip.element)} keep their times.`,
      })
  }
  return plan
}
