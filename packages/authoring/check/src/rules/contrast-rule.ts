import {
  type CheckSpot,
  type CompositionContrast,
  type CompositionFacts,
  type CompositionFrames,
  type CompositionPicture,
  defineCheck,
  withDefault,
} from '@vid/kernel'
import { Type } from '@vid/protocol'
import { lightOf, picturesIn } from '../facts/contrast-frames.ts'
import { mendColor } from './mends.ts'
import { passingColor } from './passing-color.ts'
import { lengthOf, quoted, short } from './spots.ts'

/** Sizes from which WCAG calls a text large, as parts of the shorter side: 24 and 18.7 pixels of a page of 720. */
const LARGE = 24 / 720
const LARGE_BOLD = 18.66 / 720

const isLarge = ({ fontSize, isBold }: CompositionContrast, { width, height }: CompositionFacts) =>
  fontSize >= (isBold ? LARGE_BOLD : LARGE) * Math.min(width, height)

/** A text that lies below something is no matter of colours. */
const isCovered = (facts: CompositionFacts, { element, frame }: CompositionContrast) =>
  facts.texts.some(
    (text) => text.element === element && text.frames[0] <= frame && frame < text.frames[1] && text.covered > 0.5,
  )

/** The frames around a measured one in which the light behind the text is nearer to it than to any moment that passes. */
const worstFrames = (facts: CompositionFacts, measured: CompositionContrast, needed: number): CompositionFrames => {
  const { element, frames, frame, box } = measured
  const passing = facts.contrasts.filter((other) => other.element === element && other.ratio >= needed)
  if (passing.length === 0) return frames
  const span = facts.texts.find((text) => text.element === element && text.frames[0] <= frame && frame < text.frames[1])
  const around = span ? span.frames : frames
  const pictures = picturesIn(facts.pictures, around)
  const at = (moment: number) => pictures.findLast((picture) => picture.frame <= moment) ?? pictures[0]
  const light = (moment: number) => {
    const picture = at(moment)
    return picture ? lightOf(picture, box, facts) : 0
  }
  const measuredLight = light(frame)
  const limits = passing.map((other) => (measuredLight + light(other.frame)) / 2)
  const isAlike = (value: number) => limits.every((limit) => measuredLight <= limit === value <= limit)
  const place = pictures.indexOf(at(frame) as CompositionPicture)
  let first = place
  while (first > 0 && isAlike(lightOf(pictures[first - 1] as CompositionPicture, box, facts))) first -= 1
  let last = place
  while (last < pictures.length - 1 && isAlike(lightOf(pictures[last + 1] as CompositionPicture, box, facts))) last += 1
  const start = Math.max(around[0], pictures[first]?.frame ?? around[0])
  return [start, Math.max(start + 1, Math.min(around[1], pictures[last + 1]?.frame ?? around[1]))]
}

const spotOf = (facts: CompositionFacts, contrast: CompositionContrast, needed: number): CheckSpot => {
  const { element, frame, box, ratio, color, background } = contrast
  const text = facts.elements[element]?.text ?? ''
  const passing = passingColor(color, background, needed)
  const seconds = short(frame / facts.fps, 2)
  return {
    frames: worstFrames(facts, contrast, needed),
    element,
    box,
    message: `${quoted(text)} has a contrast of ${short(ratio, 2)}:1 at ${seconds} s, ${color} on ${background}; it needs ${short(needed)}:1.`,
    ...(passing !== null && { hint: `${passing} would do, or a darker or brighter surface behind the text.` }),
    figures: {
      ratio: Number(ratio.toFixed(2)),
      needed,
      color,
      background,
      frame,
      ...(passing !== null && { passing }),
    },
    ...mendColor(passing),
  }
}

export const contrast = defineCheck({
  name: '@vid/check/contrast',
  rule: 'contrast',
  level: 'error',
  what: 'Text that stands out too little, by WCAG 2.2, at its worst moment: measured in pictures with and without its characters.',
  why: 'Many cannot read it, and nobody can in the sun.',
  hint: 'Change its colour, or put a darker or brighter surface behind it.',
  options: Type.Object({
    /** Least ratios of usual and of large text. */
    ratio: withDefault(Type.Number({ minimum: 1, maximum: 21 }), 4.5),
    large: withDefault(Type.Number({ minimum: 1, maximum: 21 }), 3),
  }),
  *check(facts, { ratio, large }) {
    for (const measured of facts.contrasts) {
      const needed = isLarge(measured, facts) ? large : ratio
      // Rounding of pixels is no finding.
      if (measured.ratio >= needed - 0.02 || lengthOf(measured.frames, facts) < 0.05) continue
      if (isCovered(facts, measured)) continue
      yield spotOf(facts, measured, needed)
    }
  },
})
