import { readPlayback } from './playback.ts'

const number = (text: string | null): number | undefined => {
  const value = text?.trim() ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** A number from the first of the attributes that is present; undefined when it has none or another value. */
export const firstNumber = (element: Element | null, ...names: readonly string[]): number | undefined =>
  number(names.map((name) => element?.getAttribute(name) ?? null).find((text) => text !== null) ?? null)

/** Seconds that a media element plays, once its source is known. */
export const mediaLength = (element: Element): number | undefined => {
  if (!(element instanceof HTMLMediaElement) || !Number.isFinite(element.duration)) return undefined
  const { mediaStart, rate } = readPlayback(element)
  return Math.max(0, element.duration - mediaStart) / rate
}

/** Whether an element has its own end, not only that of its ancestors. */
export const hasOwnEnd = (element: Element): boolean =>
  firstNumber(element, 'data-duration', 'data-end') !== undefined || mediaLength(element) !== undefined
