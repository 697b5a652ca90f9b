import { partition } from './partition.ts'
import { cutWideUnits, type TextUnit } from './units.ts'

/** The size of a line, and how wide a text is in it. */
export interface LineRules {
  readonly maxWidth: number
  /** Lines that are shown at once. */
  readonly maxLines: number
  widthOf(text: string): number
}

/** Lines that are shown together. */
export type CaptionPage = readonly (readonly TextUnit[])[]

const PAUSE = /[,;:.!?…،؛؟、。，；：！？—–]["'”’»)\]」』）]?$/u

/** What a break after a unit costs less where the text pauses, as a part of the square of a line. */
const PAUSE_GAIN = 0.04

/** What a last line of one short word costs. */
const WIDOW_COST = 0.5

/** Part of a line below which a single last word is short. */
const WIDOW_WIDTH = 0.34

const textOf = (units: readonly TextUnit[]): string =>
  units.map(({ text, hasSpace }, index) => text + (hasSpace && index < units.length - 1 ? ' ' : '')).join('')

/** Measures runs of units by their ends. */
const createRuler = (units: readonly TextUnit[], widthOf: (text: string) => number) => {
  const space = widthOf(' ')
  const ends = [0]
  for (const { text, hasSpace } of units) ends.push((ends.at(-1) ?? 0) + widthOf(text) + (hasSpace ? space : 0))
  return (start: number, end: number): number =>
    (ends[end] ?? 0) - (ends[start] ?? 0) - (units[end - 1]?.hasSpace ? space : 0)
}

const endsAtPause = (unit: TextUnit | undefined): boolean => unit !== undefined && PAUSE.test(unit.text)

/** Cuts units into the fewest lines: of similar width, rather after punctuation, and without a single short word last. */
const cutLines = (units: readonly TextUnit[], { maxWidth, widthOf }: LineRules): TextUnit[][] => {
  const width = createRuler(units, widthOf)
  const { length } = units
  const ends = partition({
    length,
    fits: (start, end) => width(start, end) <= maxWidth,
    cost(start, end) {
      const share = width(start, end) / maxWidth
      const isWidow = end === length && start > 0 && end - start === 1 && share < WIDOW_WIDTH
      // The sum of squares is least where lines are of one width; of two equal ones, the upper line is the shorter.
      const unevenness = share * share * (start === 0 ? 1.01 : 1)
      return unevenness + (isWidow ? WIDOW_COST : 0) - (end < length && endsAtPause(units[end - 1]) ? PAUSE_GAIN : 0)
    },
  })
  return ends.map((end, index) => units.slice(ends[index - 1] ?? 0, end))
}

/** The fewest lines of a run of units; counted to one more than `most`. */
const countLines = (
  width: (start: number, end: number) => number,
  { start, end, maxWidth, most }: { start: number; end: number; maxWidth: number; most: number },
): number => {
  let lines = 1
  let first = start
  for (let last = start + 1; last <= end && lines <= most; last++) {
    if (last - first === 1 || width(first, last) <= maxWidth) continue
    lines += 1
    first = last - 1
  }
  return lines
}

/** Breaks units into pages of at most so many lines; pages end at pauses of the text and are of similar length. */
export const breakLines = (all: readonly TextUnit[], rules: LineRules): CaptionPage[] => {
  const units = cutWideUnits(all, rules.widthOf, rules.maxWidth)
  const lines = cutLines(units, rules)
  if (lines.length <= rules.maxLines) return lines.length === 0 ? [] : [lines]
  const width = createRuler(units, rules.widthOf)
  const full = rules.maxWidth * rules.maxLines
  const ends = partition({
    length: units.length,
    fits: (start, end) =>
      countLines(width, { start, end, maxWidth: rules.maxWidth, most: rules.maxLines }) <= rules.maxLines,
    cost: (start, end) => {
      const share = width(start, end) / full
      return share * share - (end < units.length && endsAtPause(units[end - 1]) ? 2 * PAUSE_GAIN : 0)
    },
  })
  return ends.map((end, index) => cutLines(units.slice(ends[index - 1] ?? 0, end), rules))
}

/** The text of lines, as a reader sees them. */
export const linesText = (lines: CaptionPage): string[] => lines.map(textOf)
