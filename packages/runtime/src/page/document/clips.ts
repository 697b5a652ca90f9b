import { natives, type Realm } from '../realm/natives.ts'
import { createSheet } from './sheet.ts'
import type { TimeWindow, TimeWindows } from './windows.ts'

const HIDDEN = 'visibility:hidden!important;transition:none!important'
/** An element and its descendants, with more specificity than a page's own `!important` is likely to have. */
const withDescendants = (selector: string) => `:is(${selector},${selector} *):not(#vid-none#vid-none#vid-none)`
const CSS_TEXT = `
${withDescendants('[data-vid-window="off"]')}{${HIDDEN}}
${withDescendants('[data-vid-window="in"]')}{transition:none!important}
${withDescendants('[data-hidden]:not([data-hidden="false"])')}{${HIDDEN}}`

/** Selector of the elements that are hidden outside of their windows, themselves. */
export const HIDDEN_CLIPS = '[data-vid-window="off"]'

/** Times that differ by less are equal: `0.1 + 0.2` must end where `9 / 30` is. */
const EPSILON = 1e-6

/** Whether a half-open window contains a time. */
export const isWithin = ({ start, end }: TimeWindow, seconds: number): boolean =>
  seconds >= start - EPSILON && seconds < end - EPSILON

/** Shows timed elements inside their windows only. */
export interface Clips {
  show(windows: TimeWindows, seconds: number): void
}

/** Attaches the style sheet that hides elements; a hidden element keeps its layout. */
export const createClips = (realm: Realm): Clips => {
  const sheet = createSheet(realm, CSS_TEXT)
  return {
    show(windows, seconds) {
      sheet.attach()
      const entering: Element[] = []
      for (const [element, window] of windows.of) {
        const hidden = element.getAttribute('data-vid-window') === 'off'
        if (isWithin(window, seconds) !== hidden) continue
        element.setAttribute('data-vid-window', hidden ? 'in' : 'off')
        if (hidden) entering.push(element)
      }
      if (!entering.length) return
      // First shown without transitions, so that appearing is not a transition itself.
      for (const element of entering) void natives.getComputedStyle(element).visibility
      void document.documentElement.offsetHeight
      for (const element of entering) element.removeAttribute('data-vid-window')
    },
  }
}
