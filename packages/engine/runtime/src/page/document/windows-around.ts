import { chainOf, closestOf } from './flat-tree.ts'
import type { TimeWindow, TimeWindows } from './windows.ts'

/** The windows of an element and of those around it, the nearest first. */
export const windowsAround = (element: Element, { of }: Pick<TimeWindows, 'of'>): TimeWindow[] =>
  chainOf(element).flatMap((around) => of.get(around) ?? [])

/** Whether an element takes part in the composition: neither it nor an element around it is hidden by its author. */
export const isIncluded = (element: Element): boolean =>
  closestOf(element, '[data-hidden]:not([data-hidden="false"])') === null
