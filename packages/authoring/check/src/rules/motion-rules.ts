import {
  type CheckSpot,
  type CompositionFacts,
  type CompositionMotion,
  type CompositionPath,
  type CompositionStep,
  defineCheck,
  withDefault,
} from '@vid/kernel'
import { Type } from '@vid/protocol'
import { groupBy } from '../group-by.ts'
import { mendEnd } from './mends.ts'
import { framesOf, quoted, short } from './spots.ts'

/** How much further a jump is than the steps around it. */
const FACTOR = 5

/** Opacity below which nobody sees an element jump. */
const SEEN = 0.1

/** Part of the followed elements that jump at once in a cut to another scene. */
const CUT = 0.5

/** Jumps of one element from which they are the repeats of an animation. */
const REPEATS = 3

interface Jump {
  readonly element: number
  readonly frame: number
  readonly distance: number
  readonly from: CompositionStep
  readonly to: CompositionStep
}

const isSeen = ({ width, opacity, x, y, height }: CompositionStep, { width: wide, height: high }: CompositionFacts) =>
  width > 0 && opacity > SEEN && x < wide && y < high && x + width > 0 && y + height > 0

/** Distance of the middles of two steps. */
const distanceOf = (one: CompositionStep, other: CompositionStep): number =>
  Math.hypot(one.x + one.width / 2 - other.x - other.width / 2, one.y + one.height / 2 - other.y - other.height / 2)

const isAlike = (one: number, other: number) => Math.abs(Math.log(one / other)) < Math.log(1.6)

/** The jumps of one element: frames in which it moves much further than before and after. */
const jumpsOf = ({ element, steps }: CompositionPath, facts: CompositionFacts, least: number): Jump[] => {
  const jumps: Jump[] = []
  for (let index = 1; index < steps.length; index++) {
    const from = steps[index - 1] as CompositionStep
    const to = steps[index] as CompositionStep
    const distance = distanceOf(from, to)
    if (distance < least || !isSeen(from, facts) || !isSeen(to, facts)) continue
    if (!isAlike(from.width, to.width) || !isAlike(from.height, to.height)) continue
    const earlier = steps[index - 2]
    const later = steps[index + 1]
    const before = earlier && from.frame === to.frame - 1 && isSeen(earlier, facts) ? distanceOf(earlier, from) : 0
    const after = later && later.frame === to.frame + 1 ? distanceOf(to, later) : 0
    // What was shown in one frame alone had no place yet.
    const isNew = earlier !== undefined && !isSeen(earlier, facts) && from.frame === to.frame - 1
    if (!isNew && distance > FACTOR * Math.max(before, after))
      jumps.push({ element, frame: to.frame, distance, from, to })
  }
  const isRepeated =
    jumps.length >= REPEATS && jumps.every(({ distance }) => isAlike(distance, jumps[0]?.distance ?? 0))
  return isRepeated ? [] : jumps
}

/** Whether a clip begins or ends in a frame: what is new then has no path. */
const isEdge = ({ clips, fps }: CompositionFacts, frame: number) =>
  clips.some(({ start, end }) => Math.abs(start * fps - frame) < 1 || Math.abs(end * fps - frame) < 1)

export const jump = defineCheck({
  name: '@vid/check/jump',
  rule: 'jump',
  level: 'warning',
  what: 'An element that moves further between two frames than its animation explains.',
  why: 'An animation that starts somewhere else than the one before ended looks like a lost frame.',
  hint: 'Let it start where the element is, or hide the element while it is moved.',
  options: Type.Object({
    /** Least distance, as a part of the diagonal of the picture. */
    part: withDefault(Type.Number({ minimum: 0, maximum: 1 }), 0.03),
  }),
  *check(facts, { part }): Generator<CheckSpot> {
    const least = part * Math.hypot(facts.width, facts.height)
    const jumps = facts.paths.flatMap((path) => jumpsOf(path, facts, least))
    for (const [frame, together] of groupBy(jumps, (each) => each.frame)) {
      const shown = facts.paths.filter(({ steps }) => {
        const step = steps.findLast((each) => each.frame < frame)
        return step && isSeen(step, facts)
      })
      const isCut = together.length > 4 && together.length > CUT * shown.length
      if (isCut || isEdge(facts, frame)) continue
      // The largest holds the others, or says most; of equal ones, that with an id is found in the source.
      const hasId = ({ element }: Jump) => Number(facts.elements[element]?.selector.startsWith('#') ?? false)
      const [{ element, distance, to }] = [...together].sort(
        (one, other) => other.to.width * other.to.height - one.to.width * one.to.height || hasId(other) - hasId(one),
      ) as [Jump]
      const others = together.length > 1 ? `, and ${together.length - 1} more elements,` : ''
      yield {
        frames: [Math.max(0, frame - 1), frame + 1],
        element,
        box: { x: to.x, y: to.y, width: to.width, height: to.height },
        message: `${facts.elements[element]?.selector ?? 'It'}${others} jumps by ${short(distance, 0)} pixels at ${short(frame / facts.fps, 2)} s.`,
        figures: { distance: Math.round(distance), frame },
        certainty: 'likely',
      }
    }
  },
})

/** Frames after the end of a clip in which its animations may end. */
const TOLERANCE = 1.5

/** Part of an animation after which most of its way is done. */
const DONE = 0.97

/** Seconds before the cut in which it is seen that an animation has far to go. */
const NOTICED = 0.5

/** Whether an element still moves when a clip ends. */
const movesUntil = (
  { paths, elements, fps }: CompositionFacts,
  { element, kind }: CompositionMotion,
  end: number,
): boolean => {
  // A library moves what it draws inside its element.
  const isInside = (other: number) =>
    ['lottie', 'anime', 'timeline'].includes(kind) && elements[other]?.clip === elements[element ?? -1]?.clip
  const last = Math.ceil(end * fps - 1e-3)
  return paths
    .filter((path) => path.element === element || isInside(path.element))
    .some(({ steps }) => steps.some(({ frame, width }) => width > 0 && frame < last && frame >= last - 3))
}

export const cutAnimation = defineCheck({
  name: '@vid/check/cut-animation',
  rule: 'cut-animation',
  level: 'warning',
  what: 'A clip, or the video, that ends in the middle of an animation.',
  why: 'Its element disappears on its way.',
  hint: 'Let the clip last longer, or the animation end with it.',
  *check(facts): Generator<CheckSpot> {
    for (const motion of facts.motions) {
      const { target, element, clip, start, end, properties } = motion
      if (end === null || element === null) continue
      const around = clip === null ? undefined : facts.clips[clip]
      const until = Math.min(around?.end ?? facts.duration, facts.duration)
      if (start >= until - 1 / facts.fps || end <= until + TOLERANCE / facts.fps) continue
      const done = (until - start) / (end - start)
      if (done >= DONE || !movesUntil(facts, motion, until)) continue
      const name = around ? `the clip ${quoted(around.name)}` : 'the video'
      const what = properties.length > 0 ? ` of ${properties.slice(0, 3).join(', ')}` : ''
      yield {
        frames: framesOf(facts, Math.max(start, until - NOTICED), until),
        element,
        message: `The animation${what} of ${target} lasts until ${short(end, 2)} s; ${name} ends at ${short(until, 2)} s, after ${short(done * 100, 0)} % of it.`,
        figures: { end: Number(end.toFixed(2)), cut: Number(until.toFixed(2)), done: Number(done.toFixed(2)) },
        // A composition that ends first would have to be longer, with all that is in it.
        ...(end <= facts.duration + 1e-3 && mendEnd(around, end)),
      }
    }
  },
})
