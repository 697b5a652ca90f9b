import { secondsOf } from '@vid/protocol'
import type { ClipFacts, Operation } from '../../edit-api.ts'
import type { TimelineClip } from '../model/clip-rows.ts'
import { type Drag, draggedWindow, frameTime } from '../model/drag.ts'
import { formatSeconds } from '../model/timecode.ts'
import { tell } from '../state/notices.ts'
import { frame, rate } from '../state/playback.ts'
import { edit } from '../state/staged.ts'
import { selectedClips, selectedKeys, shownClips } from '../state/timeline.ts'
import { factsOf, localTime, shiftTo, targetOf } from './clip-target.ts'
import { editError, stage } from './edit-session.ts'

/** A clip with what the sources hold of it. */
export interface EditableClip {
  readonly clip: TimelineClip
  readonly facts: ClipFacts
}

/** Why a clip cannot be changed; undefined for one that can be. */
export const lockOf = (clip: TimelineClip): string | undefined => {
  if (editError.value) return editError.value
  if (edit.value?.conflict) return 'Another program has changed the same lines: keep or drop your changes first.'
  if (clip.kind === 'animation') return 'An animation is changed in its style sheet or script.'
  if (!factsOf(clip)) return `${clip.name} is made by a script: the sources hold no element that could be changed.`
  return undefined
}

/** The clips of some that can be changed; says why where none can. */
export const editable = (clips: readonly TimelineClip[]): readonly EditableClip[] => {
  const result = clips.flatMap((clip) => {
    const facts = lockOf(clip) === undefined ? factsOf(clip) : undefined
    return facts ? [{ clip, facts }] : []
  })
  const [first] = clips
  if (result.length === 0 && first) tell(lockOf(first) ?? '', true)
  return result
}

/** What a gesture stages. */
export const dragOperations = (clips: readonly EditableClip[], drag: Drag): readonly Operation[] =>
  clips.map(({ clip, facts }): Operation => {
    const target = targetOf(facts)
    const { start, end } = draggedWindow(clip, drag)
    if (drag.kind === 'move') return { op: 'move', target, ...shiftTo(clip, facts, start, clip.start) }
    return drag.kind === 'trimStart'
      ? { op: 'trim', target, edge: 'start', ...shiftTo(clip, facts, start, clip.start) }
      : { op: 'trim', target, edge: 'end', ...shiftTo(clip, facts, end, clip.end) }
  })

/** Seconds of the shown frame, as they are written. */
const now = () => frameTime(secondsOf(frame.value, rate.value), rate.value)

/** Says where the playhead must be, with the time at which it is. */
const tellPlace = (place: string) =>
  tell(
    `The playhead, at ${formatSeconds(now())}, is not inside ${place}. Click on the ruler above the clips to move it.`,
  )

/** The selected clips that the playhead is inside of; with nothing selected, the only clip that it is inside of. */
const underPlayhead = (): readonly EditableClip[] => {
  const seconds = now()
  const isInside = ({ start, end }: TimelineClip) => start < seconds && seconds < end
  const selected = selectedClips.value
  if (selected.length > 0) {
    const inside = selected.filter(isInside)
    if (inside.length === 0) tellPlace(selected.length === 1 ? 'the selected clip' : 'a selected clip')
    return editable(inside)
  }
  const clips = shownClips.value.filter((clip) => isInside(clip) && lockOf(clip) === undefined)
  if (clips.length === 0) tellPlace('a clip that can be changed')
  if (clips.length > 1) tell(`${clips.length} clips are under the playhead. Select the one to split.`)
  return clips.length === 1 ? editable(clips) : []
}

/** Cuts the selected clips in two at the playhead, or the only clip that is there. */
export const splitClips = (): Promise<boolean> =>
  stage(
    underPlayhead().flatMap(({ clip, facts }): Operation[] => {
      const at = localTime(clip, facts, now())
      return at === undefined ? [] : [{ op: 'split', target: targetOf(facts), at }]
    }),
  )

/** Trims an edge of the selected clips to the playhead. */
export const trimToPlayhead = (edge: 'start' | 'end'): Promise<boolean> =>
  stage(
    editable(selectedClips.value).map(
      ({ clip, facts }): Operation => ({
        op: 'trim',
        target: targetOf(facts),
        edge,
        ...shiftTo(clip, facts, now(), clip[edge]),
      }),
    ),
  )

/** Moves the selected clips by frames. */
export const nudgeClips = (frames: number): Promise<boolean> => {
  const clips = editable(selectedClips.value)
  const first = Math.min(...clips.map(({ clip }) => clip.start))
  const by = Math.max(frameTime(first + secondsOf(frames, rate.value), rate.value), 0) - first
  return by === 0 ? Promise.resolve(false) : stage(dragOperations(clips, { kind: 'move', by, snap: null }))
}

/** Makes a copy of each selected clip, after its end. */
export const duplicateClips = (): Promise<boolean> =>
  stage(editable(selectedClips.value).map(({ facts }): Operation => ({ op: 'duplicate', target: targetOf(facts) })))

/** Removes the selected clips. */
export const removeClips = async (): Promise<void> => {
  const clips = editable(selectedClips.value)
  if (await stage(clips.map(({ facts }): Operation => ({ op: 'remove', target: targetOf(facts) }))))
    selectedKeys.value = []
}
