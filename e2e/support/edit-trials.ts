import type { DiffReport } from '@vid/analysis'
import type { TreeClip } from '@vid/core'
import type { ClipFacts, Operation } from '@vid/edit'
import type { EditReceipt } from '@vid/edit/events'
import { secondsOf } from '@vid/protocol'

/** An operation that is tried on a clip, with what of the composition it may change. */
export interface EditTrial {
  readonly operation: Operation
  /** Whether the composition may differ while the clip is shown, then if the receipt has notes, or not at all. */
  readonly shows: 'window' | 'noted' | 'nothing'
  /** Whether elements beside the clip may move with it. */
  readonly takesRoom: boolean
}

/** A time of the composition in which it may differ. */
interface Span {
  readonly start: number
  readonly end: number
}

/** Files that operations import, by the tags of elements that show them. */
export type TrialMedia = Readonly<Record<'video' | 'audio' | 'img', string>>

const isMedia = (tag: string): tag is keyof TrialMedia => ['video', 'audio', 'img'].includes(tag)

/** Every operation that is about an element of a clip's kind. */
export const trialsOf = (clip: ClipFacts, media: TrialMedia): readonly EditTrial[] => {
  const target = clip.address
  const start = clip.start ?? 0
  const tag = /^<([\w-]+)/.exec(clip.element)?.[1] ?? ''
  const trial = (operation: Operation, shows: EditTrial['shows'] = 'window', takesRoom = true): EditTrial => ({
    operation,
    shows,
    takesRoom,
  })
  const insert = { op: 'insert', target, place: 'after', start, duration: 0.2, track: 41 } as const
  return [
    trial({ op: 'move', target, by: 0.2 }, 'window', false),
    trial({ op: 'trim', target, edge: 'start', by: 0.2 }, 'window', false),
    trial({ op: 'trim', target, edge: 'end', by: -0.2 }, 'window', false),
    trial({ op: 'split', target, at: start + 0.4 }, 'noted'),
    trial({ op: 'duplicate', target }),
    trial({ op: 'remove', target }),
    trial({ ...insert, text: 'New' }, 'window', false),
    trial({ ...insert, import: media.video }, 'window', false),
    trial({ ...insert, import: media.img }, 'window', false),
    trial({ op: 'order', target, to: 'back' }),
    trial({ op: 'order', target, to: 'front' }),
    trial({ op: 'track', target, track: 40 }, 'nothing'),
    trial({ op: 'text', target, text: 'Edited' }),
    trial({ op: 'set', target, name: 'title', value: 'edited' }, 'nothing'),
    trial({ op: 'style', target, property: 'outline', value: '4px solid red' }, 'window', false),
    ...(isMedia(tag) ? [trial({ op: 'media', target, import: media[tag] })] : []),
    trial({ op: 'volume', target, volume: 0.25 }),
    trial({ op: 'fade', target, in: 0.2, out: 0.2 }),
  ]
}

const flat = (clips: readonly TreeClip[]): readonly TreeClip[] => clips.flatMap((clip) => [clip, ...flat(clip.clips)])

/** By how much the times of a file's compositions are before those of the composition, for each place at which it is shown. */
export const offsetsOf = (tree: readonly TreeClip[], clips: readonly ClipFacts[]): ReadonlyMap<string, Set<number>> => {
  const offsets = new Map<string, Set<number>>()
  for (const { file, line, element, absoluteStart } of flat(tree)) {
    const facts = clips.find((clip) => clip.address.file === file && clip.line === line && clip.element === element)
    if (absoluteStart === null || facts?.start === null || facts?.start === undefined) continue
    const list = offsets.get(file) ?? new Set<number>()
    offsets.set(file, list.add(Math.round((absoluteStart - facts.start) * 1e6) / 1e6))
  }
  return offsets
}

const WHOLE: Span = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }

/** Notes that say why a composition may change elsewhere too. */
const WARNINGS: ReadonlySet<string> = new Set(['script', 'unfollowed', 'structure', 'variable'])

/** The times in which a composition may differ after an operation on a clip. */
export const spansOf = (
  { shows, takesRoom }: EditTrial,
  clip: ClipFacts,
  isPlaced: boolean,
  { windows, notes }: EditReceipt,
  offsets: ReadonlyMap<string, Set<number>>,
): readonly Span[] => {
  if (shows === 'nothing' || (shows === 'noted' && notes.length === 0)) return []
  // In a page that lays out its elements in a flow, a hidden one has room too.
  if (notes.some(({ kind }) => WARNINGS.has(kind)) || (takesRoom && !isPlaced)) return [WHOLE]
  const local = [
    ...windows.flatMap(({ file, before, after }) => [before, after].map((window) => ({ file, window }))),
    ...(windows.length === 0 ? [{ file: clip.address.file, window: clip }] : []),
  ]
  return local.flatMap(({ file, window }) => {
    if (!window || window.start === null) return window ? [WHOLE] : []
    const { start, end } = window
    return [...(offsets.get(file) ?? [Number.NaN])].map((offset) =>
      Number.isNaN(offset) ? WHOLE : { start: start + offset, end: end === null ? WHOLE.end : end + offset },
    )
  })
}

const EPSILON = 1e-6

/** Seconds: sounds are compared in parts of 10 ms. */
const SOUND_PART = 0.01

/** What of a difference lies outside of the times in which a composition may differ. */
export const outside = ({ intervals, sound, fps, problem }: DiffReport, spans: readonly Span[]): readonly string[] => {
  const isInside = (time: number, slack: number) =>
    spans.some(({ start, end }) => start <= time + slack && time < end - EPSILON + slack)
  const pictures = intervals.flatMap(({ start, end, elements }) =>
    Array.from({ length: end - start }, (_, index) => secondsOf(start + index, fps))
      .filter((time) => !isInside(time, EPSILON))
      .map((time) => `the picture at ${time} s (${elements.join(', ')})`),
  )
  const sounds = sound
    .filter(({ from, until }) => ![from, (from + until) / 2, until].every((time) => isInside(time, 2 * SOUND_PART)))
    .map(({ from, until }) => `the sound from ${from} s to ${until} s`)
  return [...(problem === undefined ? [] : [problem]), ...pictures, ...sounds]
}
