import { readNumber } from '../../source/numbers.ts'
import { attributeOf, childElements, type Element, labelOf } from '../../source/tree.ts'
import { spotAt } from '../element.ts'
import { example } from '../example.ts'
import type { LintRule } from '../rule.ts'

const files = { 'clip.mp4': '', 'music.mp3': '' }

const has = (element: Element, name: string) => attributeOf(element, name) !== null

/** Whether a media element is meant to be heard, as far as its start tag says, and has no start. */
const isUntimedSound = (element: Element): boolean => {
  const plays =
    element.tagName === 'audio'
      ? has(element, 'autoplay') || has(element, 'loop')
      : element.tagName === 'video' && has(element, 'autoplay')
  const isSilent =
    has(element, 'muted') || has(element, 'data-hidden') || attributeOf(element, 'data-has-audio') === 'false'
  return plays && !isSilent && !has(element, 'data-start')
}

interface Window {
  readonly element: Element
  readonly start: number
  readonly end: number
}

/** The written window of an element; null without a start in seconds. */
const windowOf = (element: Element): Window | null => {
  const start = readNumber(attributeOf(element, 'data-start'))
  if (start === null) return null
  const duration = readNumber(attributeOf(element, 'data-duration'))
  const end = duration === null ? readNumber(attributeOf(element, 'data-end')) : start + duration
  return { element, start, end: end ?? Infinity }
}

/** Media elements inside a timed element of the same composition, with the windows of both. */
function* mediaInClips(parent: Element, around: Window | null): Generator<[Window, Window]> {
  for (const child of childElements(parent)) {
    const isHost = has(child, 'data-composition-id') || has(child, 'data-composition-src')
    const inner = windowOf(child)
    if (around && inner && (child.tagName === 'video' || child.tagName === 'audio')) yield [inner, around]
    yield* mediaInClips(child, isHost ? null : (inner ?? around))
  }
}

/** Rules about when media are seen and heard. */
export const mediaTimingRules: readonly LintRule[] = [
  {
    name: 'untimed-sound',
    severity: 'warning',
    what: 'An `<audio>` or `<video>` that plays automatically and has no `data-start`.',
    why: 'Only media with a `data-start` are in the sound of the video.',
    hint: 'Write data-start="0" on it, or mute it.',
    bad: example({ body: '<audio src="music.mp3" autoplay loop></audio>' }, files),
    good: example({ body: '<audio src="music.mp3" data-start="0" loop></audio>' }, files),
    *check(project) {
      for (const { file, elements, scripts } of project.files) {
        // A script may time it, or mute it.
        if (scripts.some(({ facts }) => /data-start|dataset|muted/.test(facts.text))) continue
        for (const element of elements)
          if (isUntimedSound(element))
            yield spotAt(file, element, `${labelOf(element)} has no data-start: its sound is not in the video.`)
      }
    },
  },
  {
    name: 'media-in-clip',
    severity: 'warning',
    what: 'A `<video>` or `<audio>` that starts before the start or after the end of the timed element around it.',
    why: 'The start counts from the start of the composition, not from that of the surrounding element. Outside the time of that element, the media is neither visible nor audible.',
    hint: 'Write the start in seconds of the composition.',
    bad: example(
      {
        body: '<div data-start="2" data-duration="2"><video src="clip.mp4" data-start="0"></video></div>',
      },
      files,
    ),
    good: example(
      {
        body: '<div data-start="2" data-duration="2"><video src="clip.mp4" data-start="2"></video></div>',
      },
      files,
    ),
    *check(project) {
      for (const { file, root } of project.files)
        for (const [inner, around] of root ? mediaInClips(root, null) : []) {
          const isLate = inner.start >= around.end
          if (inner.start >= around.start && !isLate) continue
          const box = `${labelOf(around.element)}, which is shown from ${around.start} s${around.end === Infinity ? '' : ` to ${around.end} s`}`
          const effect = isLate || inner.end <= around.start ? 'is never seen or heard' : 'is cut off at the front'
          const message = `${labelOf(inner.element)} starts at ${inner.start} s of the composition inside ${box}: it ${effect}.`
          yield spotAt(file, inner.element, message, 'data-start')
        }
    },
  },
]
