import { type CheckSpot, defineCheck, type FilmFacts, type FilmFrames, Type, withDefault } from '@vid/kernel'
import { lengthOf, short } from './spots.ts'

/** A stretch in which the picture has one colour. */
interface FlatStretch {
  readonly frames: FilmFrames
  readonly color: string
}

/** Stretches of one colour, or of several one after another. */
const flatStretches = ({ pictures, frames }: FilmFacts): FlatStretch[] => {
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
  hint: 'Let the clips around it begin earlier or end later, or cut the film.',
  options: Type.Object({
    seconds: withDefault(Type.Number({ minimum: 0 }), 0.5),
    /** At the start, where a film is judged by its first picture. */
    startSeconds: withDefault(Type.Number({ minimum: 0 }), 0.3),
  }),
  *check(facts, { seconds, startSeconds }) {
    for (const { frames, color } of flatStretches(facts)) {
      const isStart = frames[0] === 0
      const length = lengthOf(frames, facts)
      const isEnd = frames[1] === facts.frames
      if (length < (isStart && !isEnd ? startSeconds : seconds) - 1e-6 && !(isStart && isEnd)) continue
      const where = isStart && isEnd ? 'The whole film' : isStart ? 'The start' : isEnd ? 'The end' : 'A stretch'
      yield {
        frames,
        message: `${where} is empty for ${short(length, 2)} s: all of the picture is ${color}.`,
        figures: { seconds: Number(length.toFixed(2)), color },
      }
    }
  },
})

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
  },
})

/** Parts by which a picture may be stretched before it is noticed. */
const MAX_SQUEEZE = 0.03

/** Sources as small as this are colours and patterns. */
const MIN_PIXELS = 8

const nameOf = (src: string) =>
  src.startsWith('data:') ? 'the picture' : (src.split(/[?#]/)[0]?.split('/').at(-1) ?? src)

export const upscaledImage = defineCheck({
  name: '@vid/check/upscaled-image',
  rule: 'upscaled-image',
  level: 'warning',
  what: 'A picture or a video that is shown larger than it has pixels.',
  why: 'It is blurred.',
  hint: 'Use a larger source, or show it smaller.',
  options: Type.Object({ factor: withDefault(Type.Number({ minimum: 1 }), 1.3) }),
  *check(facts, { factor }): Generator<CheckSpot> {
    for (const { element, frames, src, box, naturalWidth, naturalHeight, drawnWidth, drawnHeight } of facts.images) {
      const scale = Math.max(drawnWidth / naturalWidth, drawnHeight / naturalHeight)
      if (scale <= factor || Math.min(naturalWidth, naturalHeight) < MIN_PIXELS) continue
      yield {
        frames,
        element,
        box,
        message: `${nameOf(src)} has ${naturalWidth} x ${naturalHeight} pixels and is shown ${short(scale, 2)} times as large.`,
        figures: { factor: Number(scale.toFixed(2)), width: naturalWidth, height: naturalHeight },
      }
    }
  },
})

export const squeezedImage = defineCheck({
  name: '@vid/check/squeezed-image',
  rule: 'squeezed-image',
  level: 'warning',
  what: 'A picture or a video in another shape than its own.',
  why: 'Faces, circles and logos look wrong.',
  hint: 'Use object-fit: cover or contain, or set only one of width and height.',
  *check(facts): Generator<CheckSpot> {
    for (const { element, frames, src, box, naturalWidth, naturalHeight, drawnWidth, drawnHeight } of facts.images) {
      if (Math.min(naturalWidth, naturalHeight) < MIN_PIXELS || drawnWidth < 2 || drawnHeight < 2) continue
      const stretch = drawnWidth / drawnHeight / (naturalWidth / naturalHeight)
      // A pixel of rounding is no stretch.
      const rounding = 1 / drawnWidth + 1 / drawnHeight
      if (Math.abs(Math.log(stretch)) <= Math.log(1 + MAX_SQUEEZE) + rounding) continue
      const isWide = stretch > 1
      yield {
        frames,
        element,
        box,
        message: `${nameOf(src)} is stretched to ${short((isWide ? stretch : 1 / stretch) * 100, 0)} % of its ${isWide ? 'width' : 'height'}.`,
        figures: { stretch: Number(stretch.toFixed(3)) },
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
        message: `${nameOf(src)} ends at ${short(ends, 2)} s; its clip ends at ${short(until, 2)} s.`,
        figures: { missing: Number((until - ends).toFixed(2)) },
      }
    }
  },
})
