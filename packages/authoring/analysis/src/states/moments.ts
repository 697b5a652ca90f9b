import { type FrameRate, firstFrameAt } from '@vid/protocol'
import type { PageOutline } from '@vid/runtime'
import type { Moment, MomentCause } from './composition-states.ts'
import type { PictureChange } from './step-frames.ts'

/** What is known of a composition besides its pictures. */
export interface MomentFacts {
  readonly outline: PageOutline
  /** Seconds at which sounds begin. */
  readonly onsets: readonly number[]
  readonly changes: readonly PictureChange[]
  readonly frames: number
  readonly fps: FrameRate
}

/** Part of the picture that is new after a cut. */
const CUT = 0.25

/** How much more a cut changes than the frame before it. */
const CUT_FACTOR = 4

type Clips = PageOutline['clips']

const allClips = (clips: Clips): Clips => clips.flatMap((clip) => [clip, ...allClips(clip.clips)])

/** Changes that are no movement: much of the picture at once. */
const cuts = (changes: readonly PictureChange[]): number[] =>
  changes
    .filter(({ amount, frame }, index) => {
      const before = changes[index - 1]
      const isNext = before !== undefined && before.frame === frame - 1
      return frame > 0 && amount >= CUT && (!isNext || amount >= CUT_FACTOR * before.amount)
    })
    .map(({ frame }) => frame)

/** Every frame in which a clip, an animation or a sound begins or ends, or much of the picture is new; in order. */
export const findMoments = ({ outline, onsets, changes, frames, fps }: MomentFacts): readonly Moment[] => {
  const causes = new Map<number, Moment['causes'][number][]>()
  const add = (frame: number, cause: MomentCause, what?: string) => {
    if (frame < 0 || frame >= frames) return
    const list = causes.get(frame) ?? []
    causes.set(frame, list)
    if (!list.some((each) => each.cause === cause && each.what === what))
      list.push({ cause, ...(what !== undefined && { what }) })
  }
  const at = (seconds: number | null) => (seconds === null ? -1 : firstFrameAt(seconds, fps))
  for (const { name, start, end } of allClips(outline.clips)) {
    add(at(start), 'clip-start', name)
    add(at(end), 'clip-end', name)
  }
  for (const { target, start, end } of outline.motions) {
    add(at(start), 'animation-start', target)
    add(at(end), 'animation-end', target)
  }
  for (const onset of onsets) add(at(onset), 'sound-onset')
  for (const frame of cuts(changes)) add(frame, 'picture')
  return [...causes].sort(([one], [other]) => one - other).map(([frame, list]) => ({ frame, causes: list }))
}
