import { nameOf } from './element-name.ts'
import { parentOf } from './flat-tree.ts'
import { compositionOf } from './root.ts'
import { createReferences } from './start-reference.ts'
import { firstNumber, hasOwnEnd, mediaLength } from './time-attributes.ts'

/** When an element is shown, in seconds of the whole composition; `end` may be Infinity. */
export interface TimeWindow {
  readonly start: number
  readonly end: number
}

/** Seconds since a window's start, limited to its length; undefined before it starts. */
export const localTime = ({ start, end }: TimeWindow, seconds: number): number | undefined =>
  seconds - start < -1e-6 ? undefined : Math.max(0, Math.min(seconds, end) - start)

/** The windows of all timed elements, and problems with them. */
export interface TimeWindows {
  readonly of: ReadonlyMap<Element, TimeWindow>
  readonly problems: readonly string[]
  /** When a composition is shown: its own window, or that of the nearest timed element around it. */
  windowOf(composition: Element | null): TimeWindow
}

const WHOLE: TimeWindow = { start: 0, end: Infinity }

/**
 * Whether media inside a nested composition is timed in seconds of the whole, as in existing compositions: its authored
 * time then already overlaps the window of its host.
 */
const isGlobal = (element: Element, start: number | undefined, length: number, host: TimeWindow): boolean =>
  element instanceof HTMLMediaElement &&
  start !== undefined &&
  host.start > 0 &&
  start < host.end &&
  start + length > host.start

/** What windows are read from. */
export interface WindowsParts {
  readonly root: Element | null
  /** The elements of the document and its shadow trees that match a selector. */
  find(selector: string): Element[]
  /** The length of a nested composition's timelines. */
  lengthOf(composition: Element): number | undefined
}

/** Resolves every `data-start` of the document. */
export const readWindows = ({ root, find, lengthOf }: WindowsParts): TimeWindows => {
  const of = new Map<Element, TimeWindow>()
  const problems: string[] = []
  const resolving = new Set<Element>()
  const referenceOf = createReferences(find)
  const rootLength = firstNumber(root, 'data-duration') ?? Infinity

  const isTimed = (element: Element) =>
    element !== root && element.hasAttribute('data-start') && !/^(html|body)$/.test(element.localName)

  /** The timed element that determines an element's window: itself, or its nearest timed ancestor. */
  const timedAround = (element: Element | null): Element | null => {
    for (let around = element; around && around !== root; around = parentOf(around)) if (isTimed(around)) return around
    return null
  }

  const windowOf = (element: Element | null): TimeWindow => {
    const timed = timedAround(element)
    return timed ? resolve(timed) : WHOLE
  }

  /** The text of a start that refers to another element. */
  const referringText = (element: Element): string | undefined =>
    firstNumber(element, 'data-start') === undefined ? (element.getAttribute('data-start')?.trim() ?? '') : undefined

  /** The end of an element that another one follows; a limit that comes only from the composition does not count. */
  const endOf = (target: Element): number => {
    const { start, end } = windowOf(target)
    if (Number.isFinite(end) && hasOwnEnd(target)) return end
    const length = lengthOf(target)
    return length !== undefined ? start + length : Math.min(end, rootLength)
  }

  const startOf = (element: Element, hostStart: number): number => {
    const text = referringText(element)
    if (text === undefined) return Math.max(0, hostStart + (firstNumber(element, 'data-start') ?? 0))
    const { target, offset } = referenceOf(element, text)
    const timed = timedAround(target ?? null)
    if (!target || (timed && resolving.has(timed))) {
      const why = target ? 'follows itself' : 'names no element of its composition'
      if (text) problems.push(`${nameOf(element)} has data-start="${text}", which ${why}`)
      return hostStart
    }
    const end = endOf(target)
    if (Number.isFinite(end)) return Math.max(0, end + offset)
    problems.push(`${nameOf(element)} has data-start="${text}", but ${nameOf(target)} has no end`)
    return hostStart
  }

  /** The element and the unresolved chain of elements that it follows. */
  const followedBy = (element: Element): Element[] => {
    const chain: Element[] = []
    for (let next: Element | null = element; next && !of.has(next) && !resolving.has(next); ) {
      chain.push(next)
      resolving.add(next)
      const text = referringText(next)
      next = text === undefined ? null : timedAround(referenceOf(next, text).target ?? null)
    }
    return chain
  }

  const read = (element: Element): TimeWindow => {
    const host = windowOf(compositionOf(element))
    const length = firstNumber(element, 'data-duration') ?? mediaLength(element)
    const authored = firstNumber(element, 'data-start')
    const inWhole = isGlobal(element, authored, length ?? 0, host)
    const start = inWhole && authored !== undefined ? authored : startOf(element, host.start)
    const until = firstNumber(element, 'data-end')
    const end =
      length !== undefined ? start + length : until !== undefined ? (inWhole ? 0 : host.start) + until : host.end
    return { start, end }
  }

  const resolve = (element: Element): TimeWindow => {
    // Not by recursion: a chain may be as long as the document.
    for (const follower of followedBy(element).reverse()) {
      const window = read(follower)
      resolving.delete(follower)
      of.set(follower, window)
    }
    return of.get(element) ?? WHOLE
  }

  for (const element of find('[data-start]')) if (isTimed(element)) resolve(element)
  return { of, problems, windowOf }
}
