import {
  type CompositionFacts,
  type CompositionFrames,
  type CompositionPicture,
  defineCheck,
  withDefault,
} from '@vid/kernel'
import { Type } from '@vid/protocol'
import { mendEnd } from './mends.ts'
import { fileNameOf, lengthOf, sharedFrames, short } from './spots.ts'

/** A stretch in which the picture has one colour. */
interface FlatStretch {
  readonly frames: CompositionFrames
  readonly color: string
}

/** Stretches of one colour, or of several one after another. */
const flatStretches = ({ pictures, frames }: CompositionFacts): FlatStretch[] => {
  const stretches: FlatStretch[] = []
  for (const [index, { frame, flat }] of pictures.entries()) {
    if (flat === null) continue
    const end = pictures[index + 1]?.frame ?? frames
    const last = stretches.at(-1)
    if (last && last.frames[1] === frame)
      stretches[stretches.length - 1] = { frames: [last.frames[0], end], color: last.color }
    else stretches.push({ frames: [frame, end], color: flat })
  }
  return stretches
}

export const emptyPicture = defineCheck({
  name: '@vid/check/empty-picture',
  rule: 'empty-picture',
  level: 'warning',
  what: 'A stretch in which the picture is one colour: between scenes, at the start or at the end.',
  why: 'A clip that starts late or ends early leaves a hole; at the start it is also the picture that players show first.',
  hint: 'Let the clips around it begin earlier or end later, or make the composition shorter.',
  options: Type.Object({
    seconds: withDefault(Type.Number({ minimum: 0 }), 0.5),
    /** At the start, where a video is judged by its first picture. */
    startSeconds: withDefault(Type.Number({ minimum: 0 }), 0.3),
  }),
  *check(facts, { seconds, startSeconds }) {
    for (const { frames, color } of flatStretches(facts)) {
      const isStart = frames[0] === 0
      const length = lengthOf(frames, facts)
      const isEnd = frames[1] === facts.frames
      if (length < (isStart && !isEnd ? startSeconds : seconds) - 1e-6 && !(isStart && isEnd)) continue
      const where = isStart && isEnd ? 'The whole video' : isStart ? 'The start' : isEnd ? 'The end' : 'A stretch'
      yield {
        frames,
        message: `${where} is empty for ${short(length, 2)} s: all of the picture is ${color}.`,
        figures: { seconds: Number(length.toFixed(2)), color },
      }
    }
  },
})

/** Change of the light of any part of the picture that a codec makes of a video that stands still. */
const CODEC_NOISE = 0.004

const isAlike = (one: CompositionPicture, other: CompositionPicture): boolean =>
  one.luminance.every((light, cell) => Math.abs(light - (other.luminance[cell] ?? 0)) <= CODEC_NOISE)

/** Whether a video plays and nothing of the page moves. */
const isVideoAlone = ({ media, paths, texts, fps }: CompositionFacts, [start, end]: CompositionFrames): boolean =>
  media.some((track) => track.kind === 'video' && track.start * fps <= start && end <= track.end * fps + 1) &&
  !paths.some(({ steps }) => steps.some(({ frame }) => frame > start && frame < end)) &&
  !texts.some(({ frames }) => frames[0] > start && frames[0] < end)

/** Stretches in which a video plays and shows the same picture: a codec changes a few pixels of it nevertheless. */
const stuckVideos = (facts: CompositionFacts, seconds: number): CompositionFrames[] => {
  const { pictures, frames } = facts
  const stretches: CompositionFrames[] = []
  for (let index = 0; index < pictures.length; index++) {
    const first = pictures[index] as CompositionPicture
    let last = index
    while (last + 1 < pictures.length && isAlike(first, pictures[last + 1] as CompositionPicture)) last += 1
    const stretch: CompositionFrames = [first.frame, pictures[last + 1]?.frame ?? frames]
    if (last === index || lengthOf(stretch, facts) < seconds - 1e-6 || !isVideoAlone(facts, stretch)) continue
    stretches.push(stretch)
    index = last
  }
  return stretches
}

export const frozenPicture = defineCheck({
  name: '@vid/check/frozen-picture',
  rule: 'frozen-picture',
  level: 'warning',
  what: 'A long stretch in which nothing moves.',
  why: 'An animation that ends early, or a video that has ended, looks like a fault of the player.',
  hint: 'Let something move, or shorten the stretch. For slides, set the seconds of this rule in the config.',
  options: Type.Object({ seconds: withDefault(Type.Number({ minimum: 0 }), 7) }),
  *check(facts, { seconds }) {
    const empty = flatStretches(facts)
    for (const { frames, isMoving } of facts.states) {
      const length = lengthOf(frames, facts)
      const isEmpty = empty.some((flat) => flat.frames[0] <= frames[0] && flat.frames[1] >= frames[1])
      if (isMoving || isEmpty || length < seconds - 1e-6) continue
      yield {
        frames,
        message: `No pixel changes for ${short(length, 2)} s.`,
        figures: { seconds: Number(length.toFixed(2)) },
        certainty: 'possible',
      }
    }
    const standing = facts.states.filter(({ isMoving, frames }) => !isMoving && lengthOf(frames, facts) >= seconds)
    for (const frames of stuckVideos(facts, seconds)) {
      if (standing.some((state) => sharedFrames(state.frames, frames) !== undefined)) continue
      const length = Number(lengthOf(frames, facts).toFixed(2))
      yield {
        frames,
        message: `A video plays, and its picture stands still for ${length} s.`,
        figures: { seconds: length },
        certainty: 'possible',
      }
    }
  },
})

export const videoTooShort = defineCheck({
  name: '@vid/check/video-too-short',
  rule: 'video-too-short',
  level: 'warning',
  what: 'A video that ends before its clip does.',
  why: 'Its last frame stands still until the clip ends.',
  hint: 'End the clip with the video, slow it down with data-playback-rate, or repeat it with loop.',
  options: Type.Object({ seconds: withDefault(Type.Number({ minimum: 0 }), 0.1) }),
  *check(facts, { seconds }) {
    for (const { kind, src, element, start, end, mediaStart, sourceDuration, rate, isLooped } of facts.media) {
      if (kind !== 'video' || isLooped) continue
      const clip = facts.clips.find((each) => each.element !== null && each.element === element)
      const until = Math.min(Math.max(end, clip?.end ?? end), facts.duration)
      const ends = start + Math.max(0, sourceDuration - mediaStart) / rate
      if (until - ends <= seconds) continue
      yield {
        frames: [Math.min(facts.frames - 1, Math.round(ends * facts.fps)), Math.round(until * facts.fps)],
        element,
        message: `${fileNameOf(src)} ends at ${short(ends, 2)} s; its clip ends at ${short(until, 2)} s.`,
        figures: { missing: Number((until - ends).toFixed(2)) },
        ...mendEnd(clip, ends),
      }
    }
  },
})
