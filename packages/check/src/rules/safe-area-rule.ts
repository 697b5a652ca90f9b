import { defineCheck, Type, withDefault } from '@vid/kernel'
import { mendPlace } from './mends.ts'
import { SAFE_PATTERN, safeBox } from './safe-areas.ts'
import { inkOf, isReadable, lengthOf, quoted, short, spotOf } from './spots.ts'

/** Seconds for which a text has to stand there. */
const SECONDS = 0.3

/** Part of the shorter side that a text may be outside, such as the edges of a letter that is turned. */
const TOLERANCE = 0.005

export const textSafeArea = defineCheck({
  name: '@vid/check/text-safe-area',
  rule: 'text-safe-area',
  level: 'warning',
  what: 'Text near the edge of the picture, or where a platform puts its own buttons and captions.',
  why: 'Players, televisions and apps cover or cut the edges.',
  hint: 'Move it inwards, or name the area of the platform with --safe.',
  options: Type.Object({
    /** A name of `safeAreas`, or `x,y,width,height` in CSS pixels. */
    area: withDefault(Type.String({ pattern: SAFE_PATTERN.source }), 'title'),
  }),
  *check(facts, { area }) {
    const safe = safeBox(area, facts)
    for (const text of facts.texts) {
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
        ...mendPlace(text, safe),
      })
    }
  },
})
