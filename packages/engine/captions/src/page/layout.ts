import { breakLines, type CaptionPage } from '../breaks/break-lines.ts'
import { type TimedUnit, timeUnits } from '../breaks/unit-times.ts'
import { type TextUnit, unitsOf } from '../breaks/units.ts'
import type { Cue } from '../model/cue.ts'

/** How captions are shown: whole cues, a few words, one word, words as they are sung, words as they appear. */
export const MODES = ['line', 'phrase', 'word', 'karaoke', 'pop'] as const

export type Mode = (typeof MODES)[number]

/** What decides where the lines of a cue break. */
export interface LayoutRules {
  readonly mode: Mode
  readonly maxLines: number
  /** CSS pixels. */
  readonly maxWidth: number
  readonly fontSize: number
  readonly language: string | undefined
  widthOf(text: string): number
}

/** Lines that are shown together, and when. */
export interface TimedPage {
  readonly start: number
  readonly end: number
  readonly lines: readonly (readonly TimedUnit[])[]
}

/** Width of a phrase, in sizes of the font. */
const PHRASE_WIDTH = 13

const pagesOf = (units: readonly TextUnit[], rules: LayoutRules): readonly CaptionPage[] => {
  const { mode, maxWidth, fontSize } = rules
  if (mode === 'word') return units.map((unit) => [[unit]])
  return mode === 'phrase'
    ? breakLines(units, { ...rules, maxLines: 1, maxWidth: Math.min(maxWidth, PHRASE_WIDTH * fontSize) })
    : breakLines(units, rules)
}

/** Breaks a cue into pages; each is shown until the first word of the next is spoken. */
export const layOutCue = (cue: Cue, rules: LayoutRules): readonly TimedPage[] => {
  const pages = pagesOf(unitsOf(cue.text, rules.language), rules)
  const timed = pages.map((lines) => lines.map((units) => timeUnits(cue, units)))
  return timed.map((lines, index) => ({
    lines,
    start: index === 0 ? cue.start : (lines[0]?.[0]?.start ?? cue.start),
    end: timed[index + 1]?.[0]?.[0]?.start ?? cue.end,
  }))
}
