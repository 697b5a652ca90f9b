import { type CompositionFacts, type CompositionText, defineCheck } from '@vid/kernel'
import { groupBy } from '../group-by.ts'
import { mendOrder } from './mends.ts'
import { isPlaced, lengthOf, quoted, READABLE, REPLACED, sharedArea, sharedFrames, short, spotOf } from './spots.ts'

/** Part of a text that may lie below something. */
const MIN_COVERED = 0.1

/** Seconds for which an empty surface lies on a text after which it is no transition. */
const RESTING_SECONDS = 1

const isOpen = ({ covered, opacity }: CompositionText) => covered < MIN_COVERED && opacity >= READABLE

/**
 * Whether a text that was seen is covered by a surface that brings nothing, while another text of its scene, which was
 * seen with it, is still seen: its scene is not over.
 */
const isLost = (text: CompositionText, facts: CompositionFacts): boolean => {
  const { frames, visible, element, block } = text
  if (!text.isCoverSure || lengthOf(frames, facts) < RESTING_SECONDS) return false
  const others = facts.texts.filter(
    (other) => other.block !== block && other.covered < 0.5 && other.opacity >= READABLE,
  )
  const clipOf = (position: number) => facts.elements[position]?.clip ?? null
  const before = facts.texts.filter(
    (other) => other.element === element && isOpen(other) && other.frames[1] <= frames[0],
  )
  const ofScene = groupBy(
    others.filter((other) => clipOf(other.element) === clipOf(element)),
    (other) => other.element,
  )
  // A text that the surface covers in part has one span before, and another one from then on.
  const isSceneSeen = [...ofScene.values()].some(
    (spans) =>
      spans.some(
        (span) =>
          span.frames[0] < frames[0] && before.some((seen) => sharedFrames(seen.frames, span.frames) !== undefined),
      ) && spans.some((span) => span.frames[0] < frames[1] && span.frames[1] >= frames[1]),
  )
  const brings = [...others.map((other) => ({ ...other, box: other.visible })), ...facts.images].some(
    (other) => sharedFrames(other.frames, frames) !== undefined && sharedArea(other.box, visible) > 0,
  )
  return isSceneSeen && !brings
}

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
      if (isWhole && isEverSeen && !isLost(text, facts)) continue
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
