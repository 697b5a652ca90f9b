import {
  type CheckSpot,
  type CompositionBox,
  type CompositionFacts,
  type CompositionText,
  defineCheck,
  withDefault,
} from '@vid/kernel'
import { Type } from '@vid/protocol'
import { mendPlace } from './mends.ts'
import { SAFE_PATTERN, safeBox } from './safe-areas.ts'
import { inkOf, isReadable, lengthOf, quoted, short, spotOf } from './spots.ts'

/** Seconds for which a text has to stand there. */
const SECONDS = 0.3

/** Part of the shorter side that a text may be outside, such as the edges of a letter that is turned. */
const TOLERANCE = 0.005

const options = Type.Object({
  /** A name of `safeAreas`, or `x,y,width,height` in CSS pixels. */
  area: withDefault(Type.String({ pattern: SAFE_PATTERN.source }), 'title'),
})

/** Whether a text is drawn by `<vid-captions>`. */
const isCaption = ({ elements }: CompositionFacts, { element }: CompositionText): boolean =>
  elements[element]?.selector.startsWith('.vid-captions-') === true

/** The texts outside of an area, captions or all others. */
function* outside(
  facts: CompositionFacts,
  { area, captions }: { readonly area: string; readonly captions: boolean },
  mend: (text: CompositionText, safe: CompositionBox) => Pick<CheckSpot, 'mend'>,
): Generator<CheckSpot> {
  const safe = safeBox(area, facts)
  for (const text of facts.texts) {
    if (isCaption(facts, text) !== captions) continue
    if (!isReadable(text) || lengthOf(text.frames, facts) < SECONDS) continue
    const beyond = inkOf(text).map(({ x, y, width, height }) =>
      Math.max(safe.x - x, safe.y - y, x + width - safe.x - safe.width, y + height - safe.y - safe.height),
    )
    const most = Math.max(...beyond)
    if (most <= TOLERANCE * Math.min(facts.width, facts.height)) continue
    yield spotOf(text, {
      message: `${quoted(text.text)} is ${short(most, 0)} pixels outside the safe area "${area}".`,
      figures: { beyond: Math.round(most), area },
      certainty: area === 'title' ? 'possible' : 'certain',
      ...mend(text, safe),
    })
  }
}

export const textSafeArea = defineCheck({
  name: '@vid/check/text-safe-area',
  rule: 'text-safe-area',
  level: 'warning',
  what: 'Text near the edge of the picture, or where a platform puts its own buttons and captions.',
  why: 'Players, televisions and apps cover or cut the edges.',
  hint: 'Move it inwards, or name the area of the platform with --safe.',
  options,
  check: (facts, { area }) => outside(facts, { area, captions: false }, mendPlace),
})

export const captionSafeArea = defineCheck({
  name: '@vid/check/caption-safe-area',
  rule: 'caption-safe-area',
  level: 'warning',
  what: 'Captions that are drawn near the edge of the picture, or where a platform puts its own buttons.',
  why: 'Players, televisions and apps cover or cut the edges, and captions stand there for the whole video.',
  hint: 'Set --captions-bottom and --captions-side of <vid-captions>, or name the area of the platform with --safe.',
  options,
  check: (facts, { area }) => outside(facts, { area, captions: true }, () => ({})),
})
