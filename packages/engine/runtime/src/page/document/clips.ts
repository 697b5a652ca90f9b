import { natives, type Realm } from '../realm/natives.ts'
import type { Shadows } from './shadows.ts'
import { createSheet } from './sheet.ts'
import { createStillVisible, STILL_VISIBLE_CSS } from './still-visible.ts'
import type { TimeWindow, TimeWindows } from './windows.ts'

const HIDDEN = 'visibility:hidden!important;transition:none!important'
/** An element and its descendants, with more specificity than a page's own `!important` is likely to have. */
const withDescendants = (selector: string) => `:is(${selector},${selector} *):not(#vid-none#vid-none#vid-none)`
const OFF = '[data-vid-window="off"]'
const HIDDEN_BY_PAGE = '[data-hidden]:not([data-hidden="false"])'
const CSS_TEXT = `
${withDescendants(OFF)}{${HIDDEN}}
${withDescendants(OFF)}::before,${withDescendants(OFF)}::after{visibility:hidden!important}
${withDescendants('[data-vid-window="in"]')}{transition:none!important}
${withDescendants(HIDDEN_BY_PAGE)}{${HIDDEN}}
${STILL_VISIBLE_CSS}`

/** Selector of the elements that are hidden outside of their windows, themselves. */
export const HIDDEN_CLIPS = '[data-vid-window="off"]'

/** Times that differ by less are equal: `0.1 + 0.2` must end where `9 / 30` is. */
const EPSILON = 1e-6

/** Whether a half-open window contains a time. */
const isWithin = ({ start, end }: TimeWindow, seconds: number): boolean =>
  seconds >= start - EPSILON && seconds < end - EPSILON

/** Shows timed elements inside their windows only. */
export interface Clips {
  show(windows: TimeWindows, seconds: number): void
}

/** Attaches the style sheet that hides elements; a hidden element keeps its layout. */
export const createClips = (realm: Realm, shadows: Pick<Shadows, 'treesOf' | 'elementsOf'>): Clips => {
  const sheet = createSheet(realm, CSS_TEXT)
  const stillVisible = createStillVisible(realm, `${OFF},${HIDDEN_BY_PAGE}`, shadows)
  return {
    show(windows, seconds) {
      for (const tree of shadows.treesOf(realm)) sheet.include(tree)
      sheet.attach()
      const entering: Element[] = []
      const leaving: Element[] = []
      for (const [element, window] of windows.of) {
        const hidden = element.getAttribute('data-vid-window') === 'off'
        if (isWithin(window, seconds) !== hidden) continue
        element.setAttribute('data-vid-window', hidden ? 'in' : 'off')
        ;(hidden ? entering : leaving).push(element)
      }
      stillVisible.hide(leaving)
      if (!entering.length) return
      // First shown without transitions, so that appearing is not a transition itself.
      for (const element of entering) void natives.getComputedStyle(element).visibility
      void document.documentElement.offsetHeight
      for (const element of entering) element.removeAttribute('data-vid-window')
    },
  }
}
