import { secondsOf } from '@vid/protocol'
import type { Operation } from '../../edit-api.ts'
import type { TimelineClip } from '../model/clip-rows.ts'
import { type Drag, draggedWindow, frameTime } from '../model/drag.ts'
import { formatSeconds } from '../model/timecode.ts'
import { tell, tellDone } from '../state/notices.ts'
import { frame, rate } from '../state/playback.ts'
import { edit } from '../state/staged.ts'
import { selectedClips, selectedKeys, shownClips } from '../state/timeline.ts'
import { type EditableClip, editableClips, nestedTime, shiftTo, targetOf } from './clip-target.ts'
import { editError, isStateRead } from './edit-session.ts'
import { stageClips } from './fresh-clips.ts'

/** Why a clip cannot be changed; undefined for one that can be. */
export const lockOf = (clip: TimelineClip): string | undefined => {
  if (editError.value) return editError.value
  if (edit.value?.conflict) return 'Another program has changed the same lines: keep or drop your changes first.'
  if (clip.kind === 'animation') return 'An animation is changed in its style sheet or script.'
  if (editableClips.value.has(clip.key)) return undefined
  if (!isStateRead.value) return `The source of ${clip.name} is still being read.`
  return `${clip.name} is made by a script: the sources hold no element that could be changed.`
}

/** The clips of some that can be changed; says why where none can. */
export const editable = (clips: readonly TimelineClip[]): readonly EditableClip[] => {
  const result = clips.flatMap((clip) => (lockOf(clip) === undefined ? (editableClips.value.get(clip.key) ?? []) : []))
  const [first] = clips
  if (result.length === 0 && first) tell(lockOf(first) ?? '', true)
  return result
}

/** How some clips are called in a sentence. */
const namesOf = (clips: readonly EditableClip[]) =>
  clips.length === 1 ? (clips[0]?.clip.name ?? '') : `${clips.length} clips`

/** Stages what is done with clips by a key or a button, and says so. */
const stageTold = async (
  clips: readonly EditableClip[],
  operations: (clips: readonly EditableClip[]) => readonly Operation[],
  done: string,
): Promise<boolean> => {
  const isStaged = await stageClips({ clips, operations })
  if (isStaged) tellDone(`${namesOf(clips)} ${clips.length === 1 ? 'was' : 'were'} ${done}.`, edit.peek()?.version ?? 0)
  return isStaged
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
export const splitClips = (): Promise<boolean> => {
  const seconds = now()
  return stageTold(
    underPlayhead(),
    (clips) =>
      clips.flatMap(({ clip, facts }): Operation[] => {
        const at = nestedTime(clip, facts, seconds)
        return at === undefined ? [] : [{ op: 'split', target: targetOf(facts), at }]
      }),
    `split at ${formatSeconds(seconds)}`,
  )
}

/** Trims an edge of the selected clips to the playhead. */
export const trimToPlayhead = (edge: 'start' | 'end'): Promise<boolean> => {
  const seconds = now()
  return stageTold(
    editable(selectedClips.value),
    (clips) =>
      clips.map(
        ({ clip, facts }): Operation => ({
          op: 'trim',
          target: targetOf(facts),
          edge,
          ...shiftTo(clip, facts, seconds, clip[edge]),
        }),
      ),
    edge === 'start' ? `made to begin at ${formatSeconds(seconds)}` : `made to end at ${formatSeconds(seconds)}`,
  )
}

/** Moves the selected clips by frames. */
export const nudgeClips = (frames: number): Promise<boolean> =>
  stageTold(
    editable(selectedClips.value),
    (clips) => {
      const first = Math.min(...clips.map(({ clip }) => clip.start))
      const by = Math.max(frameTime(first + secondsOf(frames, rate.value), rate.value), 0) - first
      return by === 0 ? [] : dragOperations(clips, { kind: 'move', by, snap: null })
    },
    `moved ${Math.abs(frames)} ${Math.abs(frames) === 1 ? 'frame' : 'frames'} ${frames < 0 ? 'back' : 'forward'}`,
  )

/** Makes a copy of each selected clip, after its end. */
export const duplicateClips = (): Promise<boolean> =>
  stageTold(
    editable(selectedClips.value),
    (clips) => clips.map(({ facts }): Operation => ({ op: 'duplicate', target: targetOf(facts) })),
    'duplicated',
  )

/** Removes the selected clips. */
export const removeClips = async (): Promise<void> => {
  const clips = editable(selectedClips.value)
  const remove = ({ facts }: EditableClip): Operation => ({ op: 'remove', target: targetOf(facts) })
  const keys = selectedKeys.peek()
  if ((await stageTold(clips, (fresh) => fresh.map(remove), 'removed')) && selectedKeys.peek() === keys)
    selectedKeys.value = []
}
