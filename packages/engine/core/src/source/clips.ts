import { readNumber } from './numbers.ts'
import { attributeOf, childElements, type Element, labelOf, lineOf } from './tree.ts'

/** A timed element as it is written; its start is not resolved against other elements. */
export interface Clip {
  /** Shortened start tag. */
  readonly element: string
  readonly line: number
  readonly tag: string
  /** The names that another element's `data-start` may use: its DOM id and its composition id. */
  readonly names: readonly string[]
  /** Seconds, or an expression about the end of another element. */
  readonly start: string
  /** Seconds; null when the source text does not state it. */
  readonly duration: number | null
  /** Absolute end in seconds from the older attribute `data-end`; used without a duration. */
  readonly end: number | null
  readonly track: number
  /** Seconds into a media source. */
  readonly mediaStart: number
  /** Path of an embedded composition's file, as written; null for other elements. */
  readonly compositionSrc: string | null
}

/** A composition element and its timed elements, without those of nested compositions. */
export interface TimelineScope {
  readonly id: string | null
  readonly element: string
  readonly line: number
  readonly clips: readonly Clip[]
}

/** Whether an element holds a composition of its own, in the same text or in a file. */
export const isHost = (element: Element): boolean =>
  attributeOf(element, 'data-composition-id') !== null || attributeOf(element, 'data-composition-src') !== null

const nonNegative = (text: string | null): number | null => {
  const value = readNumber(text)
  return value !== null && value >= 0 ? value : null
}

/** Reads a timed element. */
export const readClip = (element: Element): Clip => ({
  element: labelOf(element),
  line: lineOf(element),
  tag: element.tagName,
  names: ['id', 'data-composition-id'].flatMap((name) => attributeOf(element, name) || []),
  start: attributeOf(element, 'data-start')?.trim() ?? '0',
  duration: nonNegative(attributeOf(element, 'data-duration')),
  end: nonNegative(attributeOf(element, 'data-end')),
  track: readNumber(attributeOf(element, 'data-track-index') ?? attributeOf(element, 'data-layer')) ?? 0,
  mediaStart: nonNegative(attributeOf(element, 'data-media-start') ?? attributeOf(element, 'data-playback-start')) ?? 0,
  compositionSrc: attributeOf(element, 'data-composition-src'),
})

/** The element of a composition and its timed elements, without those of nested compositions. */
export interface TimedElements {
  readonly element: Element
  readonly timed: readonly Element[]
}

/** Groups the timed elements below a root by the composition they belong to; those of the root are first. */
export const readTimedElements = (root: Element): TimedElements[] => {
  const groups: TimedElements[] = []
  const open = (element: Element) => {
    const timed: Element[] = []
    groups.push({ element, timed })
    const visit = (parent: Element) => {
      for (const child of childElements(parent)) {
        const host = isHost(child)
        if (host || attributeOf(child, 'data-start') !== null) timed.push(child)
        if (host) open(child)
        else visit(child)
      }
    }
    visit(element)
  }
  open(root)
  return groups
}

/** Reads a composition and its clips, as they are written. */
export const readScope = ({ element, timed }: TimedElements): TimelineScope => ({
  id: attributeOf(element, 'data-composition-id'),
  element: labelOf(element),
  line: lineOf(element),
  clips: timed.map(readClip),
})

/** Reads the clips of each composition below a root; the root's own scope is first. */
export const readScopes = (root: Element): TimelineScope[] => readTimedElements(root).map(readScope)
