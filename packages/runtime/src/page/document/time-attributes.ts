import { readPlayback } from './playback.ts'
import { compositionOf } from './root.ts'

/** The end of a named element with an offset, such as `intro + 0.5`; the same pattern as for the source text. */
const OFFSET = /^(.+?)(?:\s*(\+)|\s+(-))\s*(\d+\.?\d*|\.\d+)$/

const number = (text: string | null): number | undefined => {
  const value = text?.trim() ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** A number from the first of the attributes that is present; undefined when it has none or another value. */
export const numberFrom = (element: Element | null, ...names: readonly string[]): number | undefined =>
  number(names.map((name) => element?.getAttribute(name) ?? null).find((text) => text !== null) ?? null)

/** Seconds that a media element plays, once its source is known. */
export const mediaLength = (element: Element): number | undefined => {
  if (!(element instanceof HTMLMediaElement) || !Number.isFinite(element.duration)) return undefined
  const { mediaStart, rate } = readPlayback(element)
  return Math.max(0, element.duration - mediaStart) / rate
}

/** Whether an element ends by itself, not only with what is around it. */
export const hasOwnEnd = (element: Element): boolean =>
  numberFrom(element, 'data-duration', 'data-end') !== undefined || mediaLength(element) !== undefined

/** The element of the same composition that has an id. */
const findTarget = (element: Element, id: string): Element | undefined => {
  const composition = compositionOf(element)
  const name = CSS.escape(id)
  return [
    ...(composition ?? document).querySelectorAll(`[id="${name}"],[data-composition-id="${name}"]`),
  ].find((target) => compositionOf(target) === composition)
}

/** What the text of a `data-start` that is no number refers to: an element, and seconds after its end. */
export const readReference = (element: Element, text: string) => {
  const [, id = text, plus, , amount = '0'] = OFFSET.exec(text) ?? []
  // A name that looks like an offset is still a name.
  const named = findTarget(element, text)
  return {
    target: named ?? findTarget(element, id),
    offset: named ? 0 : (plus ? 1 : -1) * Number(amount),
  }
}
