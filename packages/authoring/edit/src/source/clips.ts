import { type Clip, type ClipWindow, parseStart, readStarts } from '@vid/core'
import { type Element, type LintFile, readLength, readNumber } from '@vid/core/source-model'
import { withDescendants } from './locate.ts'

/** A timed element with its window, in seconds of its composition. */
export interface SourceClip {
  readonly file: LintFile
  readonly element: Element
  readonly clip: Clip
  readonly start: number | null
  /** Null where only the page knows: media without a duration, and embedded compositions without one. */
  readonly end: number | null
  readonly scope: ClipScope
}

/** The clips of one composition. */
export interface ClipScope {
  readonly file: LintFile
  readonly holder: Element
  readonly id: string | null
  /** Whether it is the root's. */
  readonly isRoot: boolean
  /** Seconds; null where the text does not say how long the composition is. */
  readonly duration: number | null
  readonly clips: readonly Clip[]
  readonly elements: readonly Element[]
}

/** Every composition of a file. */
export const scopesIn = (file: LintFile): readonly ClipScope[] =>
  file.scopes.map(({ holder, id, clips, timed }, index) => ({
    file,
    holder,
    id,
    isRoot: index === 0,
    duration: readNumber(readLength(holder)),
    clips,
    elements: timed,
  }))

const isMedia = ({ tagName }: Element) => tagName === 'video' || tagName === 'audio'

/** Whether an element's own content says how long it is. */
const isLong = (element: Element, clip: Clip) => isMedia(element) || clip.compositionSrc !== null

/** The end of a clip; without a duration it lasts as long as its composition. */
const endOf = ({ clip, end }: ClipWindow, element: Element, { duration }: ClipScope): number | null =>
  end ?? (clip.duration === null && clip.end === null && !isLong(element, clip) ? duration : null)

/** The clips of one composition with their windows, where their starts are other texts than written. */
export const clipsOf = (scope: ClipScope, clips: readonly Clip[] = scope.clips): readonly SourceClip[] =>
  readStarts(clips).windows.map((window, index) => {
    const element = scope.elements[index] as Element
    return {
      file: scope.file,
      element,
      clip: window.clip,
      start: window.start,
      end: endOf(window, element, scope),
      scope,
    }
  })

/** The clip that an element is; undefined for one that is not timed. */
export const clipOf = (file: LintFile, element: Element): SourceClip | undefined => {
  for (const scope of scopesIn(file)) {
    const index = scope.elements.indexOf(element)
    if (index >= 0) return clipsOf(scope)[index]
  }
  return undefined
}

/** The clips of the same composition that stand inside a clip. */
export const clipsInside = ({ element, scope }: SourceClip): readonly SourceClip[] => {
  const inside = new Set(withDescendants(element).slice(1))
  return clipsOf(scope).filter((clip) => inside.has(clip.element))
}

/** The clips that a name of a `data-start` may stand for, the first of each name. */
const namesOf = (clips: readonly Clip[]): ReadonlyMap<string, Clip> => {
  const names = new Map<string, Clip>()
  for (const clip of clips) for (const name of clip.names) if (!names.has(name)) names.set(name, clip)
  return names
}

/** The clip after which another starts; undefined for one that starts at a number. */
export const followedClip = (clip: Clip, clips: readonly Clip[]): Clip | undefined => {
  const names = namesOf(clips)
  const start = parseStart(clip.start, (name) => names.has(name))
  return 'seconds' in start ? undefined : names.get(start.after)
}

/** The clips whose starts refer to a clip. */
export const followersOf = ({ clip, scope }: SourceClip): readonly SourceClip[] =>
  clipsOf(scope).filter((other) => followedClip(other.clip, scope.clips) === clip)

/** Seconds as they are written: at most six decimals, and no exponent. */
export const secondsText = (value: number): string => {
  const text = value.toFixed(6)
  return text.includes('e') ? text : String(Number(text))
}

/** The text of a start that is an offset from the end of an element. */
export const startAfter = (name: string, offset: number): string => {
  const amount = secondsText(Math.abs(offset))
  if (amount === '0') return name
  return `${name} ${offset < 0 ? '-' : '+'} ${amount}`
}

/** A start as text that lies at another time: the same reference with another offset, or another number. */
export const startAt = (
  clip: Clip,
  clips: readonly Clip[],
  endOf: (clip: Clip) => number | null,
  seconds: number,
): string | undefined => {
  const names = namesOf(clips)
  const start = parseStart(clip.start, (name) => names.has(name))
  if ('seconds' in start) return secondsText(seconds)
  const target = names.get(start.after)
  const end = target ? endOf(target) : null
  return end === null ? undefined : startAfter(start.after, seconds - end)
}
