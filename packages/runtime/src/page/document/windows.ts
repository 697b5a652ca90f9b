import { readPlayback } from '../media/media-source.ts'
import { compositionOf } from './root.ts'

/** When an element is shown, in seconds of the whole composition; `end` may be Infinity. */
export interface TimeWindow {
  readonly start: number
  readonly end: number
}

/** Seconds since a window's start, standing at its end; undefined before. */
export const localTime = ({ start, end }: TimeWindow, seconds: number): number | undefined =>
  seconds - start < -1e-6 ? undefined : Math.max(0, Math.min(seconds, end) - start)

/** The windows of all timed elements, and what was wrong with them. */
export interface TimeWindows {
  readonly of: ReadonlyMap<Element, TimeWindow>
  readonly problems: readonly string[]
  /** When a composition is shown: its own window, or that of the nearest timed element around it. */
  windowOf(composition: Element | null): TimeWindow
}

const WHOLE: TimeWindow = { start: 0, end: Infinity }

/** The end of a named element, later or earlier; the same as where the source text is read. */
const OFFSET = /^(.+?)(?:\s*(\+)|\s+(-))\s*(\d+\.?\d*|\.\d+)$/
const number = (text: string | null): number | undefined => {
  const value = text?.trim() ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}
const describe = (element: Element) => `<${element.localName}${element.id && ` id="${element.id}"`}>`

const mediaLength = (element: Element): number | undefined => {
  if (!(element instanceof HTMLMediaElement) || !Number.isFinite(element.duration)) return undefined
  const { mediaStart, rate } = readPlayback(element)
  return Math.max(0, element.duration - mediaStart) / rate
}

/** Resolves every `data-start` of the document; `lengthOf` gives the length of a nested composition's timelines. */
export const readWindows = (
  root: Element | null,
  lengthOf: (composition: Element) => number | undefined,
): TimeWindows => {
  const of = new Map<Element, TimeWindow>()
  const problems: string[] = []
  const open = new Set<Element>()
  const whole = number(root?.getAttribute('data-duration') ?? null) ?? Infinity

  const isTimed = (element: Element) =>
    element !== root && element.hasAttribute('data-start') && !/^(html|body)$/.test(element.localName)

  const around = (at: Element | null): TimeWindow =>
    !at || at === root ? WHOLE : isTimed(at) ? resolve(at) : around(at.parentElement)

  const findTarget = (element: Element, id: string): Element | undefined => {
    const composition = compositionOf(element)
    const name = CSS.escape(id)
    return [
      ...(composition ?? document).querySelectorAll(`[id="${name}"],[data-composition-id="${name}"]`),
    ].find((target) => compositionOf(target) === composition)
  }

  /** The end of an element that another follows, where "until the composition ends" would say nothing. */
  const endOf = (target: Element): number => {
    const { start, end } = isTimed(target) ? resolve(target) : around(target)
    if (Number.isFinite(end) && hasOwnEnd(target)) return end
    const length = lengthOf(target)
    return length !== undefined ? start + length : Math.min(end, whole)
  }

  const hasOwnEnd = (element: Element) =>
    number(element.getAttribute('data-duration') ?? element.getAttribute('data-end')) !== undefined ||
    mediaLength(element) !== undefined

  const startOf = (element: Element, offset: number): number => {
    const text = element.getAttribute('data-start')?.trim() ?? ''
    const seconds = number(text)
    if (seconds !== undefined) return Math.max(0, offset + seconds)
    const [, id = text, plus, , amount = '0'] = OFFSET.exec(text) ?? []
    // A name that looks like an offset is still a name.
    const named = findTarget(element, text)
    const target = named ?? findTarget(element, id)
    const by = named ? 0 : (plus ? 1 : -1) * Number(amount)
    if (!target || open.has(target)) {
      const why = target ? 'follows itself' : 'names no element of its composition'
      if (text) problems.push(`${describe(element)} has data-start="${text}", which ${why}`)
      return offset
    }
    const end = endOf(target)
    if (Number.isFinite(end)) return Math.max(0, end + by)
    problems.push(`${describe(element)} has data-start="${text}", but ${describe(target)} has no end`)
    return offset
  }

  const resolve = (element: Element): TimeWindow => {
    const known = of.get(element)
    if (known) return known
    open.add(element)
    const host = around(compositionOf(element))
    const length = number(element.getAttribute('data-duration')) ?? mediaLength(element)
    const authored = number(element.getAttribute('data-start'))
    // Existing work gives media inside a nested composition in global time: then it already overlaps its host.
    const isGlobal =
      element instanceof HTMLMediaElement &&
      authored !== undefined &&
      host.start > 0 &&
      authored < host.end &&
      authored + (length ?? 0) > host.start
    const start = isGlobal ? authored : startOf(element, host.start)
    const until = number(element.getAttribute('data-end'))
    const end =
      length !== undefined
        ? start + length
        : until !== undefined
          ? (isGlobal ? 0 : host.start) + until
          : host.end
    open.delete(element)
    const window = { start, end }
    of.set(element, window)
    return window
  }

  for (const element of document.querySelectorAll('[data-start]')) if (isTimed(element)) resolve(element)
  return { of, problems, windowOf: around }
}
