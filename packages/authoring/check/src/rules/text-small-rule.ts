import { defineCheck, withDefault } from '@vid/kernel'
import { Type } from '@vid/protocol'
import { mendSize } from './mends.ts'
import { isReadable, quoted, short, spotOf } from './spots.ts'

export const textSmall = defineCheck({
  name: '@vid/check/text-small',
  rule: 'text-small',
  level: 'warning',
  what: 'Text that is too small on a phone.',
  why: 'On a phone the shorter side of a video is about 375 points, so a font of 2 % of it is 7.5 points high.',
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
          ...mendSize(text, least),
        })
  },
})
