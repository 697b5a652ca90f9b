import { defineCheck } from '@vid/kernel'
import { mendOrder } from './mends.ts'
import { isPlaced, quoted, READABLE, REPLACED, short, spotOf } from './spots.ts'

/** Part of a text that may lie below something. */
const MIN_COVERED = 0.1

export const textCovered = defineCheck({
  name: '@vid/check/text-covered',
  rule: 'text-covered',
  level: 'error',
  what: 'Text that lies below another element, in part, or whenever it is shown.',
  why: 'It is in the page, and nobody can read it.',
  hint: 'Change the order of the elements, their z-index, or their places.',
  *check(facts) {
    for (const text of facts.texts) {
      if (!isPlaced(text) || text.covered < MIN_COVERED) continue
      const isWhole = text.covered >= REPLACED
      const isEverSeen = facts.texts.some(
        (other) => other.element === text.element && other.covered < MIN_COVERED && other.opacity >= READABLE,
      )
      if (isWhole && isEverSeen) continue
      const measured = facts.contrasts.filter(
        ({ element, frame }) => element === text.element && frame >= text.frames[0] && frame < text.frames[1],
      )
      // Pixels decide where styles cannot say what is seen through an element.
      if (!text.isCoverSure && measured.some(({ seen }) => seen > 1 - 0.5 * text.covered)) continue
      yield spotOf(text, {
        message: `${short(text.covered * 100, 0)} % of ${quoted(text.text)} lie below ${text.coveredBy}.`,
        figures: { covered: Number(text.covered.toFixed(2)), by: text.coveredBy ?? '' },
        certainty: text.isCoverSure || measured.length > 0 ? 'certain' : 'likely',
        ...mendOrder,
      })
    }
  },
})
