import {
  type CheckSpot,
  type CompositionFacts,
  type CompositionFrames,
  type CompositionText,
  defineCheck,
} from '@vid/kernel'
import { groupBy } from '../group-by.ts'
import { inkOf, isSeen, lengthOf, quoted, sharedArea, sharedFrames, short, spotOf } from './spots.ts'

/** Part of a line that another may overlap. */
const MAX_OVERLAP = 0.12

const overlapOf = (one: CompositionText, other: CompositionText): number =>
  Math.max(
    0,
    ...inkOf(one).flatMap((line) =>
      inkOf(other).map((ink) => {
        const area = Math.min(line.width * line.height, ink.width * ink.height)
        return area > 0 ? sharedArea(line, ink) / area : 0
      }),
    ),
  )

/** Part of a line that the next line of the same text may overlap: tight headlines touch. */
const MAX_LINE_OVERLAP = 0.3

/** Heights of a font above which the box of a line is that of a turned one. */
const MAX_LINE_HEIGHT = 2

/** How much of a line the next one of the same text overlaps. */
const ownOverlapOf = (text: CompositionText): number => {
  const lines = inkOf(text)
  if (text.lines.some(({ height }) => height > MAX_LINE_HEIGHT * text.fontSize)) return 0
  return Math.max(
    0,
    ...lines.slice(1).map((line, index) => {
      const before = lines[index] as (typeof lines)[number]
      const area = Math.min(line.width * line.height, before.width * before.height)
      return area > 0 ? sharedArea(line, before) / area : 0
    }),
  )
}

/** Texts whose lines lie on each other. */
function* crowdedLines(texts: readonly CompositionText[], facts: CompositionFacts): Generator<CheckSpot> {
  for (const text of texts) {
    const part = text.isStill && lengthOf(text.frames, facts) >= OVERLAP_SECONDS ? ownOverlapOf(text) : 0
    if (part > MAX_LINE_OVERLAP)
      yield spotOf(text, {
        message: `The lines of ${quoted(text.text)} overlap by ${short(part * 100, 0)} % of a line.`,
        hint: 'Give it a larger line-height.',
        figures: { overlap: Number(part.toFixed(2)) },
      })
  }
}

/** Two texts in one place. */
interface Overlap {
  readonly one: CompositionText
  readonly other: CompositionText
  readonly frames: CompositionFrames
  readonly part: number
}

/** Seconds for which texts overlap: of what stands, and of what moves past each other. */
const OVERLAP_SECONDS = 0.15
const PASSING_SECONDS = 0.5

/** The overlaps of two texts that last long enough. */
function* overlapSpots(pairs: readonly Overlap[], facts: CompositionFacts): Generator<CheckSpot> {
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
  what: 'Two texts, or two lines of one text, in the same place.',
  why: 'Neither can be read.',
  hint: 'Move one of them, end it before the other begins, or make room for the longest text.',
  *check(facts) {
    const texts = facts.texts.filter(
      (text) => isSeen(text) && text.opacity >= 0.4 && text.covered < 0.8 && /[\p{L}\p{N}]/u.test(text.text),
    )
    yield* crowdedLines(texts, facts)
    const spots: Overlap[] = []
    for (const [index, one] of texts.entries())
      for (let next = index + 1; next < texts.length; next++) {
        const other = texts[next] as CompositionText
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
