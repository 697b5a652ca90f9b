import type { TimeWindow, TimeWindows } from './windows.ts'

/** The windows of an element and of those around it, the nearest first. */
export const windowsAround = (element: Element, { of }: Pick<TimeWindows, 'of'>): TimeWindow[] => {
  const windows: TimeWindow[] = []
  for (let around: Element | null = element; around; around = around.parentElement) {
    const window = of.get(around)
    if (window) windows.push(window)
  }
  return windows
}

/** Whether an element takes part in the film: neither it nor an element around it is hidden by its author. */
export const isIncluded = (element: Element): boolean =>
  element.closest('[data-hidden]:not([data-hidden="false"])') === null
