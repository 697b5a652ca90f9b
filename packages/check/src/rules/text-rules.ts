import {
  type CheckSpot,
  defineCheck,
  type FilmFacts,
  type FilmFrames,
  type FilmText,
  Type,
  withDefault,
} from '@vid/kernel'
import { visiblePart } from '../facts/readable.ts'
import { groupBy } from '../group-by.ts'
import {
  inkOf,
  isPlaced,
  isReadable,
  lengthOf,
  quoted,
  READABLE,
  REPLACED,
  sharedArea,
  sharedFrames,
  short,
  spotOf,
} from './spots.ts'

/** Part of the font's height by which a character may be cut before it is noticed. */
const MAX_LOST = 0.1

/** Part of a text that is seen where a cut is no reveal. */
const MIN_SEEN = 0.4

/** Seconds for which a text has to be cut: letters may wait at an edge for their turn. */
const SECONDS = 0.3

/** Heights of a font by which a text may stick out of its box. */
const MAX_SPILL = 0.35

/** How much of the ink of a text is cut away, in heights of its font. */
const lostOf = (text: FilmText): number => {
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

const cutSpot = (text: FilmText, lost: number, certainty: 'certain' | 'likely'): CheckSpot => {
  const by = text.clippedBy ?? 'the frame'
  return spotOf(text, {
    message: `${quoted(text.text)} is cut off by ${by}: ${short(lost * text.fontSize, 0)} pixels of it are not seen.`,
    figures: { lost: Number((lost * text.fontSize).toFixed(1)), by },
    certainty,
  })
}

/** Whether the same text is seen whole in another place: this one is decoration. */
const isRepeated = (text: FilmText, facts: FilmFacts): boolean =>
  facts.texts.some(
    (other) =>
      other.element !== text.element &&
      other.text === text.text &&
      visiblePart(other) > 0.98 &&
      sharedFrames(other.frames, text.frames) !== undefined,
  )

/** Seconds for which a moving text has to be cut. */
const MOVING_SECONDS = 0.4

const isSeen = ({ visible, opacity, covered }: FilmText) =>
  visible.width > 1 && visible.height > 1 && opacity >= READABLE && covered < REPLACED

/**
 * A moving text that is cut in the midst of its time, or all of it: what comes into the picture or leaves it is cut at its
 * first or its last moment.
 */
function* movingCuts(facts: FilmFacts): Generator<CheckSpot> {
  for (const spans of groupBy(facts.texts.filter(isSeen), ({ element }) => element).values()) {
    const losses = spans.map(lostOf)
    const isAlways = losses.every((lost) => lost > MAX_LOST) && !spans.some(({ isStill }) => isStill)
    for (let index = 0; index < spans.length; index++) {
      if ((losses[index] ?? 0) <= MAX_LOST) continue
      let end = index
      while ((losses[end + 1] ?? 0) > MAX_LOST) end += 1
      const first = spans[index] as FilmText
      const last = spans[end] as FilmText
      const isStanding = spans.slice(index, end + 1).some(({ isStill }) => isStill)
      const isInMidst = !isStanding && index > 0 && end < spans.length - 1
      const frames = [first.frames[0], last.frames[1]] as const
      const lost = Math.min(...losses.slice(index, end + 1))
      if ((isInMidst || isAlways) && lengthOf(frames, facts) >= MOVING_SECONDS)
        yield cutSpot({ ...first, frames }, lost, 'likely')
      index = end
    }
  }
}

/** The most of a text that is ever seen. */
const mostSeen = (text: FilmText, facts: FilmFacts): number =>
  Math.max(0, ...facts.texts.filter(({ element }) => element === text.element).map(visiblePart))

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
      const seen = visiblePart(text)
      if (seen < MIN_SEEN && seen < mostSeen(text, facts) - 0.02) continue
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

/** Part of a line that another may overlap. */
const MAX_OVERLAP = 0.12

const overlapOf = (one: FilmText, other: FilmText): number =>
  Math.max(
    0,
    ...inkOf(one).flatMap((line) =>
      inkOf(other).map((ink) => {
        const area = Math.min(line.width * line.height, ink.width * ink.height)
        return area > 0 ? sharedArea(line, ink) / area : 0
      }),
    ),
  )

/** Two texts in one place. */
interface Overlap {
  readonly one: FilmText
  readonly other: FilmText
  readonly frames: FilmFrames
  readonly part: number
}

/** Seconds for which texts overlap: of what stands, and of what moves past each other. */
const OVERLAP_SECONDS = 0.15
const PASSING_SECONDS = 0.5

/** The overlaps of two texts that last long enough. */
function* overlapSpots(pairs: readonly Overlap[], facts: FilmFacts): Generator<CheckSpot> {
  const total = pairs.reduce((sum, { frames }) => sum + lengthOf(frames, facts), 0)
  for (const { one, other, frames, part } of pairs) {
    const isStanding = one.isStill && other.isStill
    if (isStanding ? lengthOf(frames, facts) < OVERLAP_SECONDS : total < PASSING_SECONDS) continue
    yield {
      ...spotOf(one, {
        message: `${quoted(one.text)} and ${quoted(other.text)} overlap by ${short(part * 100, 0)} % of a line.`,
        figures: { overlap: Number(part.toFixed(2)), with: facts.elements[other.element]?.selector ?? '' },
      }),
      frames,
    }
  }
}

export const textOverlap = defineCheck({
  name: '@vid/check/text-overlap',
  rule: 'text-overlap',
  level: 'error',
  what: 'Two texts in the same place.',
  why: 'Neither can be read.',
  hint: 'Move one of them, end it before the other begins, or make room for the longest text.',
  *check(facts) {
    const texts = facts.texts.filter(
      (text) => isSeen(text) && text.opacity >= 0.4 && text.covered < 0.8 && /[\p{L}\p{N}]/u.test(text.text),
    )
    const spots: Overlap[] = []
    for (const [index, one] of texts.entries())
      for (let next = index + 1; next < texts.length; next++) {
        const other = texts[next] as FilmText
        if (other.frames[0] >= one.frames[1]) break
        const isSame = one.element === other.element || one.block === other.block || one.text === other.text
        const frames = sharedFrames(one.frames, other.frames)
        if (isSame || !frames || sharedArea(one.visible, other.visible) === 0) continue
        const part = overlapOf(one, other)
        if (part > MAX_OVERLAP) spots.push({ one, other, frames, part })
      }
    for (const pairs of groupBy(spots, ({ one, other }) => [one.element, other.element].sort().join()).values())
      yield* overlapSpots(pairs, facts)
  },
})

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
      })
    }
  },
})

export const textSmall = defineCheck({
  name: '@vid/check/text-small',
  rule: 'text-small',
  level: 'warning',
  what: 'Text that is too small on a phone.',
  why: 'On a phone the shorter side of a film is about 375 points, so a font of 2 % of it is 7.5 points high.',
  hint: 'Use a larger font, and fewer words.',
  options: Type.Object({
    /** Least height of a font, as a part of the shorter side of the picture. */
    part: withDefault(Type.Number({ minimum: 0, maximum: 1 }), 0.02),
  }),
  *check(facts, { part }) {
    const least = part * Math.min(facts.width, facts.height)
    for (const text of facts.texts)
      if (isReadable(text) && text.fontSize < least - 0.05)
        yield spotOf(text, {
          message: `${quoted(text.text)} is ${short(text.fontSize)} pixels high; on a phone, less than ${short(least)} can hardly be read.`,
          figures: { fontSize: Number(text.fontSize.toFixed(1)), least: Number(least.toFixed(1)) },
          certainty: 'likely',
        })
  },
})
