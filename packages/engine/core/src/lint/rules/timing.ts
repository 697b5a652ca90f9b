import type { Clip } from '../../source/clips.ts'
import { readNumber } from '../../source/numbers.ts'
import { readLength } from '../../source/parse.ts'
import { attributeOf, type Element } from '../../source/tree.ts'
import { type ClipWindow, readStarts, startError } from '../../timing/start-time.ts'
import { spotAt } from '../element.ts'
import { example } from '../example.ts'
import type { LintFile, LintProject } from '../project/project.ts'
import type { LintRule, Spot } from '../rule.ts'

const readClipElements = ({ scopes }: LintFile): ReadonlyMap<Clip, Element> =>
  new Map(
    scopes.flatMap(({ clips, timed }) => clips.flatMap((clip, index) => (timed[index] ? [[clip, timed[index]]] : []))),
  )

/** Read once for each file: every rule asks for each clip. */
const clipElements = new WeakMap<LintFile, ReadonlyMap<Clip, Element>>()

/** The element of a clip. */
export const elementOf = (file: LintFile, clip: Clip): Element | undefined => {
  const elements = clipElements.get(file) ?? readClipElements(file)
  clipElements.set(file, elements)
  return elements.get(clip)
}

const clipSpot = (file: LintFile, clip: Clip, message: string, attribute: string): Spot => {
  const element = elementOf(file, clip)
  return element
    ? spotAt(file.file, element, message, attribute)
    : { file: file.file, line: clip.line, selector: null, message }
}

function* scopesOf({ files }: LintProject) {
  for (const file of files) for (const scope of file.scopes) yield { file, ...scope }
}

function* startSpots(project: LintProject, reason: 'cycle' | 'unknown'): Generator<Spot> {
  for (const { file, clips } of scopesOf(project))
    for (const problem of readStarts(clips).problems) {
      const { message, hint } = startError(problem, file.file)
      if (problem.reason === reason) yield { ...clipSpot(file, problem.clip, message, 'data-start'), hint }
    }
}

const NATURAL = new Set(['video', 'audio'])

/** Creates the lookup of the end of a clip in seconds of its composition; null where only the page knows it. */
const createEnds = ({ hosts, files }: LintProject) => {
  const fileOf = new Map(hosts.map(({ element, file }) => [element, file]))
  const rootOf = new Map(files.map(({ file, root }) => [file, root]))
  return (file: LintFile, { clip, end }: ClipWindow): number | null => {
    if (end !== null || clip.duration !== null || NATURAL.has(clip.tag)) return end
    if (clip.compositionSrc === null) return Infinity
    const element = elementOf(file, clip)
    const nested = rootOf.get((element && fileOf.get(element)) ?? '')
    return nested ? (readNumber(readLength(nested)) ?? Infinity) : null
  }
}

/** Tolerance in seconds: clips that touch do not overlap, despite rounding. */
const EPSILON = 1e-6

const seconds = (time: number) => Number(time.toFixed(3))

const range = (start: number, end: number) => `${start}–${end === Infinity ? 'the end' : `${seconds(end)} s`}`

interface TrackClip {
  readonly clip: Clip
  readonly start: number
  readonly end: number
}

const overlap = (one: TrackClip, other: TrackClip) => one.start < other.end - EPSILON && other.start < one.end - EPSILON

/** Whether any two clips of a track overlap. */
const hasOverlap = (row: readonly TrackClip[]): boolean => {
  let latest: TrackClip | undefined
  for (const span of row.toSorted((a, b) => a.start - b.start)) {
    if (latest && overlap(latest, span)) return true
    if (!latest || span.end > latest.end) latest = span
  }
  return false
}

const readTracks = (file: LintFile, clips: readonly Clip[], endOf: ReturnType<typeof createEnds>) => {
  const rows = new Map<number, TrackClip[]>()
  for (const window of readStarts(clips).windows) {
    const { clip, start } = window
    const element = elementOf(file, clip)
    const isOnTrack = ['data-track-index', 'data-layer'].some((name) => element && attributeOf(element, name) !== null)
    const end = endOf(file, window)
    if (!isOnTrack || start === null || end === null) continue
    const row = rows.get(clip.track)
    if (row) row.push({ clip, start, end })
    else rows.set(clip.track, [{ clip, start, end }])
  }
  return rows.values()
}

function* overlaps(project: LintProject): Generator<Spot> {
  const endOf = createEnds(project)
  for (const { file, clips } of scopesOf(project))
    for (const row of readTracks(file, clips, endOf)) {
      if (!hasOverlap(row)) continue
      for (const [index, span] of row.entries()) {
        const other = row.find((before, place) => place < index && overlap(before, span))
        if (!other) continue
        const { clip, start, end } = span
        const message = `${clip.element} (${range(start, end)}) overlaps ${other.clip.element} (${range(other.start, other.end)}, line ${other.clip.line}) on track ${clip.track}.`
        yield clipSpot(file, clip, message, 'data-start')
      }
    }
}

/** The timed elements of the entry's root that have a known start, with the length of that root if it is written. */
function* rootWindows({ files: [file] }: LintProject) {
  const length = file?.root ? readNumber(readLength(file.root)) : null
  if (!file || length === null) return
  for (const { clip, start, end } of readStarts(file.scopes[0]?.clips ?? []).windows)
    if (start !== null) yield { file, clip, start, end, length }
}

const clip = (id: string, timing: string) => `<p id="${id}" class="clip" ${timing}>Hello</p>`
const two = (first: string, second: string) => example({ body: `${clip('one', first)}\n${clip('two', second)}` })

/** Rules about starts, durations and tracks of timed elements. */
export const timingRules: readonly LintRule[] = [
  {
    name: 'unknown-start',
    severity: 'error',
    what: 'A `data-start` that refers to no timed element of its composition.',
    why: 'The render stops with an error, since the start of the element is unknown.',
    hint: 'Write seconds, or the id of a timed element of the same composition.',
    bad: two('data-start="0" data-duration="1"', 'data-start="first + 1"'),
    good: two('data-start="0" data-duration="1"', 'data-start="one + 1"'),
    check: (project) => startSpots(project, 'unknown'),
  },
  {
    name: 'start-cycle',
    severity: 'error',
    what: 'Elements whose `data-start` depend on each other.',
    why: 'The render stops with an error, since none of the starts can be resolved.',
    hint: 'Give one element of the cycle a start in seconds.',
    bad: two('data-start="two" data-duration="1"', 'data-start="one" data-duration="1"'),
    good: two('data-start="0" data-duration="1"', 'data-start="one" data-duration="1"'),
    check: (project) => startSpots(project, 'cycle'),
  },
  {
    name: 'overlapping-clips',
    severity: 'error',
    what: 'Two clips of a composition that overlap on the same `data-track-index`.',
    why: 'A track holds one clip at a time. Editors cannot show two, and the track does not determine which one is in front.',
    hint: 'Move or shorten one of the clips, or put it on another track.',
    bad: two(
      'data-start="0" data-duration="2" data-track-index="1"',
      'data-start="1.5" data-duration="2" data-track-index="1"',
    ),
    good: two(
      'data-start="0" data-duration="2" data-track-index="1"',
      'data-start="1.5" data-duration="2" data-track-index="2"',
    ),
    check: overlaps,
  },
  {
    name: 'bad-timing',
    severity: 'error',
    what: 'A `data-duration`, `data-end` or `data-track-index` of a timed element that is not a valid number.',
    why: 'The value is ignored: the element stays visible until the end of its composition, or is placed on track 0.',
    hint: 'Write a number of seconds, 0 or more, without a unit; a track is a whole number.',
    bad: example({ body: clip('one', 'data-start="0" data-duration="2s"') }),
    good: example({ body: clip('one', 'data-start="0" data-duration="2"') }),
    *check(project) {
      for (const { file, clips } of scopesOf(project))
        for (const clip of clips) {
          const element = elementOf(file, clip)
          if (!element) continue
          for (const name of ['data-duration', 'data-end', 'data-track-index', 'data-layer']) {
            const text = attributeOf(element, name)
            const value = readNumber(text)
            const isTrack = name === 'data-track-index' || name === 'data-layer'
            const isUsable = value !== null && (isTrack ? Number.isInteger(value) : value >= 0)
            if (text !== null && !isUsable)
              yield spotAt(file.file, element, `${name}="${text}" of ${clip.element} is not a valid number.`, name)
          }
        }
    },
  },
  {
    name: 'never-shown',
    severity: 'warning',
    what: 'A timed element of the root that starts at or after the end of the composition.',
    why: 'It is not visible in any frame.',
    hint: 'Start it earlier, or increase the data-duration of the root.',
    bad: example({ body: clip('one', 'data-start="5"') }),
    good: example({ body: clip('one', 'data-start="3"') }),
    *check(project) {
      for (const { file, clip, start, length } of rootWindows(project))
        if (start >= length)
          yield clipSpot(
            file,
            clip,
            `${clip.element} starts at ${start} s; the composition ends at ${length} s.`,
            'data-start',
          )
    },
  },
  {
    name: 'clip-past-end',
    severity: 'warning',
    what: 'A timed element of the root whose `data-duration` or `data-end` extends beyond the end of the composition.',
    why: 'The composition does not become longer, so the rest of the element is not in the video.',
    hint: 'Shorten it, or increase the data-duration of the root.',
    bad: example({ body: clip('one', 'data-start="3" data-duration="2"') }),
    good: example({ body: clip('one', 'data-start="3" data-duration="1"') }),
    *check(project) {
      for (const { file, clip, start, end, length } of rootWindows(project)) {
        if (start >= length || end === null || end <= length + EPSILON) continue
        const attribute = clip.duration === null ? 'data-end' : 'data-duration'
        const message = `${clip.element} lasts until ${seconds(end)} s; the composition ends at ${length} s.`
        yield clipSpot(file, clip, message, attribute)
      }
    },
  },
]
