import { type CheckSpot, type CompositionFacts, type CompositionText, defineCheck } from '@vid/kernel'
import { visiblePart } from '../facts/readable.ts'
import { groupBy } from '../group-by.ts'
import { mendCut } from './mends.ts'
import { inkOf, isReadable, isSeen, lengthOf, quoted, sharedFrames, short, spotOf } from './spots.ts'

/** Part of the font's height by which a character may be cut before it is noticed. */
const MAX_LOST = 0.1

/** Part of a text that is seen where a cut is no reveal. */
const MIN_SEEN = 0.4

/** Seconds for which a text has to be cut: letters may wait at an edge for their turn. */
const SECONDS = 0.3

/** Heights of a font by which a text may stick out of its box. */
const MAX_SPILL = 0.35

/** How much of the ink of a text is cut away, in heights of its font. */
const lostOf = (text: CompositionText): number => {
  const { visible, fontSize } = text
  const lost = inkOf(text).map(({ x, y, width, height }) =>
    Math.max(
      visible.x - x,
      x + width - visible.x - visible.width,
      visible.y - y,
      y + height - visible.y - visible.height,
    ),
  )
  return Math.max(0, ...lost) / fontSize
}

const cutSpot = (text: CompositionText, lost: number, certainty: 'certain' | 'likely'): CheckSpot => {
  const by = text.clippedBy ?? 'the frame'
  return spotOf(text, {
    message: `${quoted(text.text)} is cut off by ${by}: ${short(lost * text.fontSize, 0)} pixels of it are not seen.`,
    figures: { lost: Number((lost * text.fontSize).toFixed(1)), by },
    certainty,
    ...mendCut(text),
  })
}

/** Whether the same text is seen whole in another place: this one is decoration. */
const isRepeated = (text: CompositionText, facts: CompositionFacts): boolean =>
  facts.texts.some(
    (other) =>
      other.element !== text.element &&
      other.text === text.text &&
      visiblePart(other) > 0.98 &&
      sharedFrames(other.frames, text.frames) !== undefined,
  )

/** Seconds for which a moving text has to be cut. */
const MOVING_SECONDS = 0.4

/**
 * A moving text that is cut in the midst of its time, or all of it: what comes into the picture or leaves it is cut at its
 * first or its last moment.
 */
function* movingCuts(facts: CompositionFacts): Generator<CheckSpot> {
  for (const spans of groupBy(facts.texts.filter(isSeen), ({ element }) => element).values()) {
    const losses = spans.map(lostOf)
    const isAlways = losses.every((lost) => lost > MAX_LOST) && !spans.some(({ isStill }) => isStill)
    for (let index = 0; index < spans.length; index++) {
      if ((losses[index] ?? 0) <= MAX_LOST) continue
      let end = index
      while ((losses[end + 1] ?? 0) > MAX_LOST) end += 1
      const first = spans[index] as CompositionText
      const last = spans[end] as CompositionText
      const isStanding = spans.slice(index, end + 1).some(({ isStill }) => isStill)
      const isInMidst = !isStanding && index > 0 && end < spans.length - 1
      const frames = [first.frames[0], last.frames[1]] as const
      const lost = Math.min(...losses.slice(index, end + 1))
      const cut = { ...first, frames }
      if ((isInMidst || isAlways) && lengthOf(frames, facts) >= MOVING_SECONDS && !isRepeated(cut, facts))
        yield cutSpot(cut, lost, 'likely')
      index = end
    }
  }
}

/** Whether a text that is hardly seen has yet to be revealed, or was hidden again: more of it is seen on one side only. */
const isRevealed = (text: CompositionText, facts: CompositionFacts): boolean => {
  const seen = visiblePart(text)
  const fuller = facts.texts.filter((other) => other.element === text.element && visiblePart(other) > seen + 0.02)
  const isBefore = fuller.some(({ frames }) => frames[0] < text.frames[0])
  const isAfter = fuller.some(({ frames }) => frames[0] >= text.frames[1])
  return seen < MIN_SEEN && isBefore !== isAfter
}

export const textCut = defineCheck({
  name: '@vid/check/text-cut',
  rule: 'text-cut',
  level: 'error',
  what: 'Text that its box, a clip around it or the frame cuts off, or that sticks out of the box that it stands in.',
  why: 'A longer word, another font or another format leaves part of it unseen.',
  hint: 'Give it more room, a smaller font, or let it break into lines.',
  *check(facts) {
    yield* movingCuts(facts)
    for (const text of facts.texts) {
      // A mask that shows little of a text has yet to reveal it.
      if (!isReadable(text) || lengthOf(text.frames, facts) < SECONDS) continue
      if (isRevealed(text, facts)) continue
      const lost = lostOf(text)
      if (lost > MAX_LOST && !isRepeated(text, facts)) yield cutSpot(text, lost, 'certain')
      else if (text.spill > MAX_SPILL)
        yield spotOf(text, {
          message: `${quoted(text.text)} sticks out of ${text.spillsFrom} by ${short(text.spill * text.fontSize, 0)} pixels.`,
          figures: { beyond: Number((text.spill * text.fontSize).toFixed(1)), box: text.spillsFrom ?? '' },
          certainty: 'likely',
        })
    }
  },
})
